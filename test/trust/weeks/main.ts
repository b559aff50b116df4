// `npm run attention [-- --details]`: four simulated weeks of a consultant and of a private person, with what Steward brought
// to their attention. --details also prints each entry that was no real decision, each false statement, and what was missed.
import { parseArgs } from 'node:util';
import { CONSULTANT } from './consultant.ts';
import { PRIVATE } from './private-person.ts';
import { weeksTable } from './table.ts';
import { type LivedWeeks, liveWeeks } from './weeks.ts';

const { values: options } = parseArgs({ options: { details: { type: 'boolean', default: false } } });
const lives: LivedWeeks[] = [];
for (const story of [CONSULTANT, PRIVATE]) lives.push(await liveWeeks(story));
console.log(weeksTable(lives));
if (options.details) for (const life of lives) printDetails(life);

function printDetails({ story, decisions, warnings, statements, wrong, missed, answers }: LivedWeeks): void {
  console.log(`\n# ${story.name}\n`, Object.fromEntries(statements));
  const shown = ({ kind, target, change, from, quote, mail }: (typeof decisions)[number]['entry']) =>
    JSON.stringify({ kind, target, change, from, quote, mail });
  console.log('\n## No real decision');
  for (const { entry, isReal } of decisions) if (!isReal) console.log(shown(entry));
  console.log('\n## Real decisions with another change than the mail says');
  for (const { entry, isReal, isMeant } of decisions) if (isReal && !isMeant) console.log(shown(entry));
  console.log('\n## The others');
  for (const { entry, isMeant } of decisions) if (isMeant) console.log(shown(entry));
  console.log('\n## Warnings');
  for (const { entry } of warnings) console.log(entry.warning, shown(entry));
  console.log('\n## False statements');
  for (const one of wrong) console.log(JSON.stringify(one));
  console.log('\n## Missed');
  for (const { day, from, subject, text } of missed)
    console.log(JSON.stringify({ day, from: from.address, subject, text }));
  console.log('\n## Answers that took more than one gesture');
  for (const { entry, gesture, way, gestures } of answers)
    if (gestures > 1) console.log(gesture, way, gestures, shown(entry));
}
