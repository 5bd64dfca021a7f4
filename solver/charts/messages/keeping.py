"""The keep guide."""

from __future__ import annotations

__all__ = ["KEEPS"]

KEEPS = {
    "keeps.kind": ("Keep guide", "Что откладывать"),
    "keeps.title": ("Which dice to set aside", "Какие кубики откладывать"),
    "keeps.counted": (
        "Counted in {games} between two perfect players",
        "Подсчитано по игре двух безупречных игроков: {games}",
    ),
    "keeps.bank": (
        "If you will bank after this throw, set aside everything that scores.",
        "Если после этого броска вы пишете, откладывайте всё, что даёт очки.",
    ),
    "keeps.roll": (
        "If you will roll on, more dice are worth more than a few points: set aside what the table"
        " says, and everything that scores where it says nothing.",
        "Если бросаете дальше, лишний кубик дороже нескольких очков: откладывайте то, что указано"
        " в таблице, а если там ничего нет — всё, что даёт очки.",
    ),
    "keeps.short": (
        "Look at the sum first: never set aside exactly what takes you to a dump truck if you can"
        " set aside less, and do not bank yourself into a barrel for a few points.",
        "Сначала посмотрите на сумму: не откладывайте ровно столько, сколько ведёт на самосвал,"
        " если можно меньше, и не лезьте в бочку ради пары очков.",
    ),
    "keeps.cost": (
        "A player who always sets aside all that scores, and plays perfectly otherwise, wins"
        " {cost:pp1} ± {error:pp1} percentage points less often.",
        "Кто всегда откладывает всё, а в остальном играет безупречно, побеждает на {cost:pp1} ±"
        " {error:pp1} процентного пункта реже.",
    ),
    "keeps.reason": ("why less than all", "почему не всё"),
    "keeps.reason.more_dice": ("to throw more dice", "бросить больше кубиков"),
    "keeps.reason.hot_dice": (
        "all of it would force a throw of all dice",
        "иначе пришлось бы бросать все заново",
    ),
    "keeps.reason.dump_truck": ("all of it would meet a dump truck", "иначе самосвал"),
    "keeps.reason.barrel": ("all of it would land in a barrel", "иначе бочка"),
    "keeps.reason.other": ("other, mostly overtakes", "прочее, чаще обгоны"),
    "keeps.throw": ("throw", "бросок"),
    "keeps.set_aside": ("rolling on, set aside", "бросая дальше, отложить"),
    "keeps.or": ("or", "или"),
    "keeps.share": ("of times", "доля"),
    "keeps.bank_share": ("bank at once", "сразу писать"),
    "keeps.per_game": ("per game", "за партию"),
    "keeps.worth": ("worth, pp", "выгода, п. п."),
    "keeps.dice": ("dice thrown", "брошено кубиков"),
    "keeps.bust": ("nothing scores", "пустой бросок"),
    "keeps.less": ("less than all is best", "лучше взять не всё"),
    "keeps.legend": (
        "White dice score, grey ones do not, black ones are set aside. In brackets: the next best"
        " choice, and how often it is the right one.",
        "Белые кубики дают очки, серые нет, чёрные откладывают. В скобках — как часто верен второй"
        " выбор.",
    ),
    "keeps.source": (
        "Per game and player. Worth: percentage points of the chance to win, against always"
        " setting aside all that scores.",
        "На партию и на игрока. Выгода: процентные пункты шанса на победу против правила «всегда"
        " откладывать всё».",
    ),
}
