// A model at home for the stories: `local-model KIND`. Says where it listens, and leaves its address in local-model.url.
import fs from 'node:fs';
import { type Kind, LocalServer } from './local-server.ts';
import { sampleReader } from './sample-reader.ts';

const [, , kind = 'ollama'] = process.argv;
const mind = sampleReader({
  writes: (signals) => `Here it is:\n\`\`\`json\n${JSON.stringify({ signals })}\n\`\`\``,
  misreads: ['en-not-yet', 'nl-anderen'],
});
const server = await LocalServer.start({ kind: kind as Kind, mind });
fs.writeFileSync('local-model.url', server.url);
console.log('listening');
