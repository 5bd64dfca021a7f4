"""Threshold maps."""

from __future__ import annotations

__all__ = ["THRESHOLDS"]

THRESHOLDS = {
    "thresholds.title": ("From which turn total on to bank", "С какой суммы за ход записывать"),
    "thresholds.large": (
        "{dice:die} left: from which total on to bank",
        "Осталось: {dice:die}. С какой суммы писать",
    ),
    "thresholds.kind": ("Threshold map", "Карта порогов"),
    "thresholds.me": ("you: {bolts}", "у вас: {bolts}"),
    "thresholds.opponent": ("opponent: {bolts}", "у соперника: {bolts}"),
    "thresholds.text_legend": (
        "Rows: your score; columns: the opponent's (both in the game). *: above it rolling is right"
        " again somewhere; —: never bank; x: only the win ends the turn.",
        "Строки: ваш счёт; столбцы: счёт соперника (оба в игре). *: выше местами снова лучше"
        " бросать; —: не записывать; x: ход кончается только победой.",
    ),
    "thresholds.how": (
        "Find your score on the left and the opponent's below. The shade is the lowest turn total"
        " at which you should bank with that many dice left; a number is the most common one in its"
        " square. Hatched: at some higher totals rolling is right again.",
        "Слева найдите свой счёт, внизу — счёт соперника. Тон — наименьшая сумма за ход, с которой"
        " надо записывать, когда осталось столько кубиков; число — самый частый порог в квадрате."
        " Штриховка: при некоторых больших суммах снова лучше бросать.",
    ),
    "thresholds.example": (
        "Example: {me} against {opponent}. Bank: {parts}.",
        "Пример: счёт {me} против {opponent}. Писать: {parts}.",
    ),
    "thresholds.example_part": (
        "{dice:die} – from {least}",
        "{dice:die} — от {least}",
    ),
    "thresholds.my_axis": ("your score", "ваш счёт"),
    "thresholds.opponent_axis": ("opponent's score", "счёт соперника"),
    "thresholds.outside": ("not in", "не в игре"),
    "thresholds.panel": ("{dice:die} left", "Осталось: {dice:die}"),
    "thresholds.barrel": ("barrel", "бочка"),
    "thresholds.never": ("never bank", "не записывать"),
    "thresholds.no_choice": ("only a win ends it", "только победа"),
    "thresholds.island": ("island: roll again above", "остров: выше снова бросать"),
    "thresholds.most": ("{low} and more", "{low} и больше"),
}
