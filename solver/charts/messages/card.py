"""The pocket rule."""

from __future__ import annotations

__all__ = ["POCKET"]

POCKET = {
    "pocket.kind": ("Pocket rule", "Карманное правило"),
    "pocket.title": ("The rule to keep in mind", "Правило на память"),
    "pocket.bank": (
        "Bank, with so many dice left: {numbers}.",
        "Пишите, когда осталось: {numbers}.",
    ),
    "pocket.hot": (
        "If all dice score, set them all aside and throw again.",
        "Если дают очки все кубики, отложите их все и бросайте снова.",
    ),
    "pocket.keep": (
        "Rolling on, set aside all that scores, but:",
        "Бросая дальше, откладывайте все очки, но:",
    ),
    "pocket.keep_all": (
        "Rolling on, set aside all that scores.",
        "Бросая дальше, откладывайте всё, что даёт очки.",
    ),
    "pocket.of": ("({dice:die} thrown)", "(брошено: {dice:die})"),
    "pocket.dump_last": (
        "Never meet a dump truck if you can do anything else.",
        "Не садитесь на самосвал, если можно иначе.",
    ),
    "pocket.bank_short": ("Bank from", "Писать от"),
    "pocket.exceptions": ("Except:", "Кроме:"),
    "pocket.at_once": (
        "Where banking brings you to {spans}, bank at once.",
        "Если с очками хода выходит {spans}, пишите сразу.",
    ),
    "pocket.enough": (
        "Where banking brings you to {spans}, {by} is enough.",
        "Если с очками хода выходит {spans}, хватит {by}.",
    ),
    "pocket.into_barrel.more": (
        "Bank into a barrel only with {by} or more.",
        "В бочку пишите не меньше {by}.",
    ),
    "pocket.into_barrel.never": ("Never bank into a barrel.", "В бочку не пишите никогда."),
    "pocket.when.on_barrel": ("Starting on a barrel", "Начав ход в бочке"),
    "pocket.when.opponent_near": ("If he has {at} or more", "Если у соперника {at} и больше"),
    "pocket.when.behind": ("If you are {at} or more behind", "Если вы отстаёте на {at} и больше"),
    "pocket.when.ahead": ("If you are {at} or more ahead", "Если вы впереди на {at} и больше"),
    "pocket.when.last_bolt": ("One bolt from the penalty", "Если до штрафа один болт"),
    "pocket.when.outside": ("Before you enter", "До входа в игру"),
    "pocket.when.opponent_outside": ("Before he enters", "Пока соперник не вошёл"),
    "pocket.how.more": (
        "{when}: every number {by} higher.",
        "{when}: все числа на {by} больше.",
    ),
    "pocket.how.less": (
        "{when}: every number {by} lower.",
        "{when}: все числа на {by} меньше.",
    ),
    "pocket.how.never": (
        "{when}: do not bank, go for the win.",
        "{when}: не пишите, идите до победы.",
    ),
    "pocket.chance": (
        "Against perfect play it wins {first:pct2} going first and {second:pct2} going second.",
        "Против безупречной игры побеждает в {first:pct2}, начиная, и в {second:pct2}, отвечая.",
    ),
    "pocket.chance_short": (
        "wins {first:pct1} / {second:pct1} against perfect play",
        "побеждает безупречного в {first:pct1} / {second:pct1}",
    ),
    "pocket.optimal": (
        "Perfect play itself wins {first:pct2} and {second:pct2}.",
        "Сама безупречная игра — в {first:pct2} и {second:pct2}.",
    ),
    "pocket.exception": ("exception", "исключение"),
    "pocket.worth_first": ("worth first, pp", "первому, п. п."),
    "pocket.worth_second": ("second, pp", "второму, п. п."),
    "pocket.rule": ("rule", "правило"),
    "pocket.numbers": ("numbers", "чисел"),
    "pocket.first": ("first", "первым"),
    "pocket.second": ("second", "вторым"),
    "pocket.cost": ("costs, pp", "потеря, п. п."),
    "pocket.perfect": ("perfect play", "безупречная игра"),
    "pocket.rung.asap": ("bank as soon as allowed", "писать, как только можно"),
    "pocket.rung.single": ("bank from {bank}", "писать от {bank}"),
    "pocket.rung.dice": (
        "a number for each number of dice",
        "своё число для каждого числа кубиков",
    ),
    "pocket.rung.spare": ("and spare dice kept back", "и лишние кубики в запас"),
    "pocket.rung.twists": ("and {count:exception}: {what}", "и {count:exception}: {what}"),
    "pocket.label.dump": ("near the dump truck", "возле самосвала"),
    "pocket.label.short_of_barrel": ("before barrels", "перед бочками"),
    "pocket.label.into_barrel": ("into barrels", "в бочки"),
    "pocket.label.on_barrel": ("on barrels", "в бочках"),
    "pocket.label.opponent_near": ("he is near the end", "соперник у цели"),
    "pocket.label.behind": ("far behind", "сильно отставая"),
    "pocket.label.ahead": ("far ahead", "далеко впереди"),
    "pocket.label.last_bolt": ("last bolt", "последний болт"),
    "pocket.label.outside": ("before the entry", "до входа"),
    "pocket.label.opponent_outside": ("before his entry", "до входа соперника"),
    "pocket.source": (
        "Found by a search over {evaluations:evaluation} against perfect play; no rule one step"
        " beside it wins 0.001 pp more. Cost: on the mean of going first and second.",
        "Найдено перебором: {evaluations:evaluation} против безупречной игры; ни одно соседнее"
        " правило не лучше и на 0,001 п. п. Потеря — в среднем за первого и второго.",
    ),
    "pocket.cut": (
        "Cut along the dashes, fold along the dots: a business card.",
        "Вырежьте по штрихам, сложите по точкам: получится визитка.",
    ),
    "pocket.family": (
        "After a throw, in this order: set aside what wins, or all dice if all score; bank if what"
        " scores takes the turn total to the number for the dice then left; else roll on. Of the"
        " exceptions the first that applies counts.",
        "После броска по порядку: отложите то, что приносит победу, или все кубики, если сыграли"
        " все; пишите, если очки за ход дошли до числа для оставшихся кубиков; иначе бросайте"
        " дальше. Из исключений действует первое подходящее.",
    ),
}
