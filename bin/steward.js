#!/usr/bin/env node
import './node-version.js';

const { enableCompileCache } = await import('node:module');
enableCompileCache();
await import('../dist/cli/main.js');
