#!/bin/sh
# `npm run test:ci`: what `npm test` leaves out because it takes long. Runs all parts, whatever one of them finds.
# Words given to it go to vitest's main run, such as a reporter.
status=0
SUITE=ci vitest run "$@" || status=1
npm run -s test:fleet || status=1
exit $status
