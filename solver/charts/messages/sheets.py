"""Position sheets."""

from __future__ import annotations

__all__ = ["NOTES", "POSITION"]

POSITION = {
    "position.title": ("{me} against {opponent}", "{me} против {opponent}"),
    "position.kind": ("Position sheet", "Лист позиции"),
    "position.me": ("You: {about}", "Вы: {about}"),
    "position.opponent": ("Opponent: {about}", "Соперник: {about}"),
    "position.chance": (
        "Your chance to win before the first throw: {chance}",
        "Ваш шанс на победу перед первым броском: {chance}",
    ),
    "position.your_chance": ("your chance to win", "ваш шанс на победу"),
    "position.bank_at": ("bank at a turn total of", "писать, если набрано"),
    "position.text_legend": (
        "B: bank, R: roll, D: dump truck; * no choice; blank: cannot come up.",
        "П: писать, Б: бросать, С: самосвал; * выбора нет; пусто: так не бывает.",
    ),
    "position.grid": (
        "Find the turn total, then the dice left: {bank} bank, {roll} roll, and your chance in per"
        " cent.",
        "Найдите очки за ход и число оставшихся кубиков: {bank} — писать, {roll} — бросать, рядом"
        " шанс на победу в процентах.",
    ),
    "position.shade": (
        "The wrong choice costs, in percentage points:",
        "Цена неверного выбора, в процентных пунктах:",
    ),
    "position.no_choice": ("No choice:", "Выбора нет:"),
    "position.nothing": (
        "You may not bank at all: throw until you win or nothing scores.",
        "Записывать нельзя вовсе: бросайте, пока не победите или бросок не окажется пустым.",
    ),
    "position.rest": (
        "From {total} on it is nearly always {bank}; the table above says when it is not.",
        "Начиная с {total} почти всегда {bank}; исключения видны в таблице вверху.",
    ),
    "shade.first": ("under {high}", "до {high}"),
    "shade.last": ("{low} and more", "{low} и больше"),
    "mark.hot_dice": ("hot dice, throw them all", "сыграли все, бросать заново"),
    "mark.entry": ("entry not reached", "вход не набран"),
    "mark.barrel": ("in the barrel", "в бочке"),
    "mark.dump_truck": ("dump truck, back to 0", "самосвал, счёт 0"),
    "mark.blank": ("cannot come up", "так не бывает"),
}

NOTES = {
    "note.entry": (
        "You are not in the game yet: you need {needs:point} in one turn to bank.",
        "Вы ещё не в игре: чтобы войти, за один ход нужно {needs:point}.",
    ),
    "note.barrel": (
        "You are in the barrel {low}–{high}: you need {needs:point} in one turn to bank.",
        "Вы в бочке {low}–{high}: чтобы выйти, за один ход нужно {needs:point}.",
    ),
    "note.last_barrel": (
        "You are in the last barrel {low}–{high}: only a win gets you out, {needs:point} in one"
        " turn.",
        "Вы в последней бочке {low}–{high}: из неё выходят только победой, нужно {needs:point} за"
        " ход.",
    ),
    "note.barrel_ahead": (
        "Banking {first} to {last} lands you in the barrel {low}–{high}.",
        "Запись от {first} до {last} приводит в бочку {low}–{high}.",
    ),
    "note.dump": (
        "The dump truck {score} lies {ahead:point} ahead: exactly that many throw you back to 0.",
        "До самосвала {score} осталось {ahead:point}: ровно столько — и счёт станет 0.",
    ),
    "note.win": (
        "{needs:point} in this turn win the game.",
        "Для победы нужно {needs:point} за этот ход.",
    ),
    "note.overtakes": (
        "Banking {needs:point} or more overtakes the opponent (−{penalty} for him).",
        "Запись от {needs} и больше — обгон соперника (ему −{penalty}).",
    ),
    "note.chased": (
        "The opponent is {behind:point} behind: he overtakes you (−{penalty}) with any bank of"
        " more.",
        "Отрыв от соперника — {behind:point}: запишет больше — обгонит вас (вам −{penalty}).",
    ),
    "note.bolts": (
        "One more bolt costs you {penalty:point}.",
        "Ещё один болт отнимет у вас {penalty:point}.",
    ),
    "note.opponent_bolts": (
        "One more bolt costs the opponent {penalty:point}.",
        "Ещё один болт отнимет у соперника {penalty:point}.",
    ),
    "note.opponent_entry": (
        "The opponent is not in the game yet: he needs {needs:point} in one turn, and you cannot"
        " overtake him.",
        "Соперник ещё не в игре: ему нужно {needs:point} за ход, обогнать его нельзя.",
    ),
    "note.opponent_barrel": (
        "The opponent is in the barrel {low}–{high} and needs {needs:point} in one turn.",
        "Соперник в бочке {low}–{high}, ему нужно {needs:point} за один ход.",
    ),
    "note.opponent_win": (
        "The opponent is {needs:point} away from the win.",
        "Сопернику до победы осталось {needs:point}.",
    ),
}
