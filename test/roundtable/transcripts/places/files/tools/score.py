"""Scores the nightly runs."""
import csv
import statistics

PASS_MARK = 0.75
WINDOW_DAYS = 14


class Scorer:
    """Keeps the scores of one window."""

    def __init__(self, window=WINDOW_DAYS):
        self.window = window
        self.scores = []

    def add(self, row):
        self.scores.append(float(row["score"]))

    def median(self):
        return statistics.median(self.scores)


def read_runs(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def passes(scorer):
    return scorer.median() >= PASS_MARK


def main():
    scorer = Scorer()
    for row in read_runs("data/runs.csv"):
        scorer.add(row)
    print("pass" if passes(scorer) else "fail")
