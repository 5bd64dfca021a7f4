"""The booklet, and the rules in brief."""

from __future__ import annotations

__all__ = ["BOOK", "RULES"]

RULES = {
    "rules.aim": (
        "Two players take turns with {dice:die}. Who first has {target} wins at once.",
        "Двое ходят по очереди, в игре {dice:die}. Кто первым набрал {target}, сразу победил.",
    ),
    "rules.set_aside.any": (
        "Throw; set aside at least one scoring combination, the others at will; then throw the"
        " rest, or bank the turn total.",
        "Бросьте и отложите хотя бы одну комбинацию с очками, остальные — по желанию. Затем бросьте"
        " оставшиеся кубики или запишите очки.",
    ),
    "rules.set_aside.all": (
        "Throw; set aside everything that scores; then throw the rest, or bank the turn total.",
        "Бросьте и отложите всё, что даёт очки. Затем бросьте оставшиеся кубики или запишите очки.",
    ),
    "rules.hot.must_roll": (
        "When all dice have scored, all of them must be thrown again.",
        "Когда сыграли все кубики, их обязательно бросают заново.",
    ),
    "rules.hot.may_roll": (
        "When all dice have scored, you may throw all of them again.",
        "Когда сыграли все кубики, можно бросить их все заново.",
    ),
    "rules.bust": (
        "If nothing scores in a throw, the turn total is lost.",
        "Если бросок пустой, все очки хода пропадают.",
    ),
    "rules.entry": (
        "To enter the game you need {entry:point} in one turn.",
        "Для входа в игру нужно набрать {entry:point} за один ход.",
    ),
    "rules.bolt.any_throw": (
        "A bust gives a bolt; {bolts:bolt} in a row cost {penalty:point}.",
        "За пустой бросок пишут болт; {bolts:bolt} подряд отнимают {penalty:point}.",
    ),
    "rules.bolt.first_throw": (
        "A bust on the first throw gives a bolt; {bolts:bolt} in a row cost {penalty:point}.",
        "За пустой первый бросок пишут болт; {bolts:bolt} подряд отнимают {penalty:point}.",
    ),
    "rules.bolt.any_throw_until_entered": (
        "A bust gives a bolt, once in the game only on the first throw; {bolts:bolt} in a row cost"
        " {penalty:point}.",
        "За пустой бросок пишут болт, после входа в игру — только за первый; {bolts:bolt} подряд"
        " отнимают {penalty:point}.",
    ),
    "rules.barrel": (
        "Barrels: {barrels}. Who starts a turn in one may bank only when the turn takes him out.",
        "Бочки: {barrels}. Кто начал ход в бочке, пишет очки, только если выходит из неё за этот"
        " ход.",
    ),
    "rules.dump": (
        "Dump truck: who comes to {scores} exactly falls back to 0, and the turn is over.",
        "Самосвал: кто набрал ровно {scores}, падает до 0, и ход окончен.",
    ),
    "rules.overtake": (
        "Overtake: who banks past the other takes {penalty:point} from him.",
        "Обгон: кто записью обошёл соперника, отнимает у него {penalty:point}.",
    ),
    "rules.floor": (
        "Nobody falls below {floor}.",
        "Ниже {floor} счёт не опускается.",
    ),
}

BOOK = {
    "book.kind": ("Sharabeshki: the whole strategy", "Шарабешки: вся стратегия"),
    "book.title": ("Sharabeshki", "Шарабешки"),
    "book.subtitle": (
        "How to play the dice game 1000 perfectly",
        "Как безупречно играть в тысячу на кубиках",
    ),
    "book.first": ("the first player's chance to win", "шанс на победу у начинающего"),
    "book.turns": ("turns each in a perfect game", "ходов у каждого в безупречной партии"),
    "book.positions": ("positions, each solved", "позиций, и решена каждая"),
    "book.rules": ("The rules in brief", "Правила коротко"),
    "book.points": ("What scores", "Что даёт очки"),
    "book.contents": ("Contents", "Содержание"),
    "book.page_read": ("How to read the charts", "Как читать таблицы и карты"),
    "book.page_maps": ("From which turn total on to bank", "С какой суммы за ход записывать"),
    "book.page_sheets": ("The most frequent situations", "Самые частые положения"),
    "book.page_edges": (
        "Entry, barrels, dump truck, the end",
        "Вход, бочки, самосвал, финиш",
    ),
    "book.page_pocket": ("The rule to keep in mind", "Правило на память"),
    "book.page_keeps": ("Which dice to set aside", "Какие кубики откладывать"),
    "book.frequent": (
        "Frequent situation, {share:pct1} of turns",
        "Частое положение, {share:pct1} ходов",
    ),
    "book.edge.entry": (
        "Entering the game, {share:pct1} of turns",
        "Вход в игру, {share:pct1} ходов",
    ),
    "book.edge.barrel": (
        "In the barrel {low}–{high}, {share:pct1} of turns",
        "В бочке {low}–{high}, {share:pct1} ходов",
    ),
    "book.edge.dump": (
        "Just before the dump truck {score}, {share:pct1} of turns",
        "Перед самосвалом {score}, {share:pct1} ходов",
    ),
    "book.edge.target": (
        "Not far from {target}, {share:pct1} of turns",
        "Недалеко от {target}, {share:pct1} ходов",
    ),
    "book.edge.opponent": (
        "The opponent is about to win, {share:pct1} of turns",
        "Соперник вот-вот победит, {share:pct1} ходов",
    ),
    "book.read_sheet": ("A position sheet", "Лист позиции"),
    "book.read_map": ("A threshold map", "Карта порогов"),
    "book.read_terms": ("The words", "Слова"),
    "book.sheet.1": (
        "On the left stands the turn total: what you have set aside in this turn and not banked.",
        "Слева — очки за ход: сколько вы отложили за этот ход и ещё не записали.",
    ),
    "book.sheet.2": (
        "The columns are the dice that are left to throw.",
        "Столбцы — сколько кубиков осталось бросать.",
    ),
    "book.sheet.3": (
        "{bank} (bank) or {roll} (roll) is the right choice; the number beside it is your chance"
        " to win in per cent.",
        "{bank} (писать) или {roll} (бросать) — верный выбор; число рядом — ваш шанс на победу в"
        " процентах.",
    ),
    "book.sheet.4": (
        "The darker a cell, the more the other choice costs. In pale cells either will do.",
        "Чем темнее клетка, тем дороже другой выбор. В бледных клетках почти всё равно.",
    ),
    "book.sheet.5": (
        "Grey cells leave no choice: you must throw. Blank ones cannot come up.",
        "В серых клетках выбора нет: надо бросать. Пустых положений не бывает.",
    ),
    "book.map.1": (
        "Each point is a pair of scores: yours upwards, the opponent's to the right.",
        "Каждая точка — пара счетов: ваш вверх, соперника вправо.",
    ),
    "book.map.2": (
        "Its shade is the turn total from which on you bank with so many dice left. Light: bank"
        " early. Dark: dare.",
        "Тон — сумма за ход, с которой пора писать, когда осталось столько кубиков. Светлое:"
        " пишите рано. Тёмное: рискуйте.",
    ),
    "book.map.3": (
        "Hatched: at some higher turn totals rolling is right again; the position sheets say"
        " where.",
        "Штриховка: при некоторых больших суммах снова лучше бросать; где именно — видно на листах"
        " позиций.",
    ),
    "book.map.4": (
        "Black bars on the rims are the barrels, the broken line is the dump truck.",
        "Чёрные полосы по краям — бочки, прерывистая линия — самосвал.",
    ),
    "book.map.5": (
        "The narrow strips are players who have not entered the game.",
        "Узкие полосы — игроки, которые ещё не вошли в игру.",
    ),
    "term.bank": ("bank", "писать"),
    "term.roll": ("roll", "бросать"),
    "term.turn_total": ("turn total", "очки за ход"),
    "term.bust": ("bust", "пустой бросок"),
    "term.hot_dice": ("hot dice", "сыграли все"),
    "term.bolt": ("bolt", "болт"),
    "term.barrel": ("barrel", "бочка"),
    "term.dump": ("dump truck", "самосвал"),
    "term.overtake": ("overtake", "обгон"),
    "meaning.bank": ("write the turn total down and end the turn", "записать очки и закончить ход"),
    "meaning.roll": ("throw the dice that are left", "бросить оставшиеся кубики"),
    "meaning.turn_total": ("set aside in this turn, not yet banked", "отложено, но не записано"),
    "meaning.bust": ("nothing scores; the turn total is lost", "очков нет, ход пропал"),
    "meaning.hot_dice": ("all dice have scored; throw them all", "все кубики дали очки"),
    "meaning.bolt": ("a dash for a bust; several in a row cost points", "прочерк за пустой бросок"),
    "meaning.barrel": ("scores that must be left in one turn", "выйти надо за один ход"),
    "meaning.dump": ("a score that throws you back to 0", "счёт, с которого падают до 0"),
    "meaning.overtake": ("banking past the other, who loses points", "обойти соперника записью"),
}
