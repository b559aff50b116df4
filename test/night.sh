#!/bin/sh
# `npm run test:night`: what takes hours. Runs all parts, whatever one of them finds.
status=0
SUITE=night vitest run || status=1
# New examples, ten thousand of each law. fast-check prints the seed of a failure; LAW_SEED=SEED draws them again.
SUITE=laws LAW_SEED=fresh LAW_RUNS=10000 vitest run || status=1
npm run -s test:crash || status=1
npm run -s test:endurance || status=1
npm run -s trust || status=1
npm run -s eval || status=1
npm run -s bench || status=1
exit $status
