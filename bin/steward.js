#!/usr/bin/env node
import './node-version.js';

// Asked for so, a part of Node brings nothing else with it.
process.getBuiltinModule('node:module').enableCompileCache();
if (process.env.STEWARD_DEBUG === '1') process.setSourceMapsEnabled(true);
await import('../dist/main.js');
