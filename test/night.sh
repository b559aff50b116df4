#!/bin/sh
# `npm run test:night`: what takes hours. Runs all parts, whatever one of them finds.
status=0
SUITE=night vitest run || status=1
# New examples, ten thousand of each law. fast-check prints the seed of a failure; LAW_SEED=SEED draws them again.
export LAW_SEED=fresh LAW_RUNS=10000
SUITE=laws vitest run || status=1
SUITE=ci vitest run $(grep -rlE '\bfc\.assert\(' test --include='*.test.ts') || status=1
unset LAW_SEED LAW_RUNS
npm run -s test:crash || status=1
npm run -s test:endurance || status=1
npm run -s trust || status=1
npm run -s eval || status=1
npm run -s bench || status=1
exit $status
