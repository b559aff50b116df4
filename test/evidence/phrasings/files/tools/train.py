import math

LEARNING_RATE = 0.003
BATCH_SIZE = 32


def load_rows(path):
    with open(path) as file:
        return [line.split(",") for line in file]


class Foo:
    depth = 4

    def fit(self, rows):
        for row in rows:
            self.step(row)
        return self

    def step(self, row):
        return math.sqrt(len(row))


async def main():
    rows = load_rows("runs.csv")
    Foo().fit(rows)
