/** Fetches GreenMail from Maven's repository, unless it is there: `node test/servers/fetch-greenmail.ts`. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { GREENMAIL, GREENMAIL_FOLDER, GREENMAIL_JAR } from './greenmail-jar.ts';

const GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';

if (!fs.existsSync(GREENMAIL_JAR)) {
  const { group, artifact, version } = GREENMAIL;
  const what = [`-Dartifact=${group}:${artifact}:${version}`, `-DoutputDirectory=${GREENMAIL_FOLDER}`];
  const { status } = spawnSync('mvn', ['-q', '-B', GOAL, ...what], { stdio: 'inherit', timeout: 300_000 });
  process.exitCode = status ?? 1;
}
