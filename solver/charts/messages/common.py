"""Words that several charts use, and the foot of a page."""

from __future__ import annotations

__all__ = ["COMMON"]

COMMON = {
    "and": ("and", "и"),
    "turn_total": ("turn total", "очки за ход"),
    "dice_left": ("dice left", "осталось кубиков"),
    "entered": ("in the game", "в игре"),
    "not_entered": ("not in the game yet", "ещё не в игре"),
    "no_bolts": ("no bolts", "без болтов"),
    "action.bank": ("bank", "писать"),
    "action.roll": ("roll", "бросать"),
    "action.dump": ("dump truck", "самосвал"),
    "letter.bank": ("B", "П"),
    "letter.roll": ("R", "Б"),
    "letter.dump": ("D", "С"),
    "forced.first_roll": ("the first throw", "первый бросок"),
    "forced.hot_dice": (
        "hot dice: all of them have scored and must be thrown again",
        "сыграли все кубики: их обязательно бросают снова",
    ),
    "forced.entry": ("too few points to enter the game", "для входа в игру очков не хватает"),
    "forced.barrel": ("too few points to leave the barrel", "из бочки ещё не выйти"),
    "forced.dump_truck": ("a dump truck ends the turn", "самосвал: ход окончен"),
    "foot.source": (
        "sharabeshki {version} · rules: {game} · {sure}",
        "sharabeshki {version} · правила: {game} · {sure}",
    ),
    "foot.certified": (
        "every chance is within {bound} of the true one (proven)",
        "ошибка любой вероятности не больше {bound} (доказано)",
    ),
    "foot.uncertified": (
        "values without a proven error bound",
        "значения без доказанной оценки ошибки",
    ),
    "foot.page": ("{page} / {pages}", "{page} / {pages}"),
    "html.caption": ("bank or roll, {state}", "записать или бросать, {state}"),
    "html.cost": (
        "the other choice costs {cost:pp2} percentage points",
        "другой выбор стоит {cost:pp2} процентного пункта",
    ),
}
