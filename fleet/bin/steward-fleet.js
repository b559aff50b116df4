#!/usr/bin/env node
import '../../bin/node-version.js';

process.getBuiltinModule('node:module').enableCompileCache();
await import('../src/main.ts');
