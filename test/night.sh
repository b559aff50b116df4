#!/bin/sh
# `npm run test:night`: what takes hours. Runs all parts, whatever one of them finds.
status=0
SUITE=night vitest run || status=1
# New examples, ten thousand of each law. fast-check prints the seed of a failure; LAW_SEED=SEED draws them again.
export LAW_SEED=fresh LAW_RUNS=10000
SUITE=laws vitest run || status=1
SUITE=ci vitest run $(grep -rlE '\bfc\.assert\(' test --include='*.test.ts') || status=1
unset LAW_SEED LAW_RUNS
# Orders of a sync, lives of a vault and attacks of which `test:ci` tries some.
SEEDS=6 SUITE=ci vitest run test/sync/two-machines.test.ts || status=1
VISIT_RUNS=5 SUITE=night vitest run test/daemon/kept-by-visits.test.ts || status=1
STRANGERS=all SUITE=ci vitest run test/trust/strangers.test.ts || status=1
# An attacker who knows the source: 500 attempts on each gate. ATTACK_SEED=SEED repeats those of a night.
ATTACK_ATTEMPTS=500 ATTACK_SEED=fresh SUITE=night vitest run test/hostile/adaptive-attacker.test.ts || status=1
# Orders to a program, 500 mails of each family, in memory if it can be. INJECTION_SEED=SEED repeats those of a night.
memory=$(mktemp -d -p /dev/shm 2> /dev/null || mktemp -d)
TMPDIR=$memory INJECTION_MAILS=500 INJECTION_SEED=fresh SUITE=ci vitest run test/injection/mail-corpus.test.ts || status=1
rm -rf "$memory"
# Plugins that rewrite notes at the same time: 500 races of each.
RACES=500 SUITE=night vitest run test/crash/plugin-races.test.ts || status=1
# A fleet of 300 vaults that tick each minute, and twenty kills of its host.
FLEET_KILLS=20 FLEET_VAULTS=300 FLEET_MINUTES=5 npm run -s test:fleet || status=1
npm run -s test:crash || status=1
npm run -s test:endurance || status=1
npm run -s trust || status=1
npm run -s eval || status=1
npm run -s bench || status=1
exit $status
