import { DEFAULT_FOLDERS, FOLDER_KINDS, type FolderNames } from '../../vault/layout.ts';
import { clean, count } from '../print/plain-text.ts';
import type { InitAsking } from './init-asking.ts';
import { type WrongType, wrongTypes } from './property-mends.ts';
import { lacksSnippet, SNIPPET_FILE } from './snippet.ts';
import type { Surroundings } from './survey/look-around.ts';
import { type Adoption, type ProposedSettings, proposedSettings } from './survey/proposed-settings.ts';
import type { FoundFolder } from './survey/record-folders.ts';
import type { FoundWord } from './survey/status-words.ts';
import type { Survey } from './survey/survey.ts';

/** What a person agreed to, before anything is made. */
export interface InitPlan {
  readonly adoption: Adoption;
  readonly settings: ProposedSettings;
  /** Where the records lie. */
  readonly folders: FolderNames;
  readonly mendsTypes: boolean;
  readonly addsSnippet: boolean;
  /** What a person was not asked about, because nobody was there to be asked. */
  readonly left: readonly string[];
}

interface Place {
  readonly root: string;
  readonly around: Surroundings;
  readonly survey: Survey;
  readonly isNew: boolean;
}

/** No more words than that are asked about; the others are named by `status`. */
const MOST_WORDS = 12;

/** Asks what may be made and taken over. Returns null where the person wants nothing made. */
export async function plannedFor(place: Place, asking: InitAsking | null): Promise<InitPlan | null> {
  if (asking === null) return untoldPlan(place);
  if (!(await asking.agree(beginning(place)))) return null;
  const adoption = await adopted(place.survey, asking);
  if (adoption === null) return null;
  const wrong = wrongTypes(place.root);
  const mends = wrong.length === 0 ? false : await asking.agree(mendQuestion(wrong));
  const adds = lacksSnippet(place.root) ? await asking.agree(SNIPPET_QUESTION) : false;
  if (mends === null || adds === null) return null;
  const settings = proposedSettings(place.survey, adoption, place.around.taskNotes);
  return { ...planWith(place, adoption, settings), mendsTypes: mends, addsSnippet: adds };
}

/** Returns what was left as it is because nobody could be asked, and the command that agrees to all of it. */
export function leftLines({ left }: InitPlan, command: string): string[] {
  return left.length === 0
    ? []
    : ['Not without your yes:', ...left.map((line) => `  ${clean(line)}`), `  All of it: \`${command}\`.`];
}

function untoldPlan(place: Place): InitPlan {
  const { survey, root } = place;
  const nothing = { tasks: false, matters: false, words: [] };
  const wrong = wrongTypes(root);
  const folders = [survey.tasks, isClear(survey.matters) ? survey.matters : null].filter((one) => one !== null);
  const words = survey.words.filter(({ state }) => state !== null);
  const asked = proposedSettings(survey, { ...nothing, words }, place.around.taskNotes).status_values !== undefined;
  const { folder_task: _, folder_matter: __, ...settings } = proposedSettings(survey, nothing, null);
  const left = [
    ...folders.map(({ folder }) => `look after the notes in ${folder}`),
    ...(asked && survey.canExplain && hasRecords(survey) ? ['explain your words for states in the settings'] : []),
    ...(wrong.length === 0 ? [] : [`mend the types of ${wrongWords(wrong)} in Obsidian`]),
  ];
  return { ...planWith(place, nothing, settings), left };
}

function planWith({ survey }: Place, adoption: Adoption, settings: ProposedSettings): InitPlan {
  const named = FOLDER_KINDS.flatMap((kind) => {
    const name = settings[`folder_${kind}`];
    return typeof name === 'string' ? [[kind, name] as const] : [];
  });
  const folders = { ...DEFAULT_FOLDERS, ...survey.folders, ...Object.fromEntries(named) };
  return { adoption, settings, folders, mendsTypes: false, addsSnippet: false, left: [] };
}

function beginning({ root, isNew }: Place): string {
  return isNew
    ? `Make a new vault in ${clean(root)}?`
    : `Add the steward's folders and settings to ${clean(root)}? No note is changed.`;
}

async function adopted(survey: Survey, asking: InitAsking): Promise<Adoption | null> {
  const tasks = await agreedTo(survey.tasks, 'task', asking);
  const matters = await agreedTo(survey.matters, 'matter', asking);
  if (tasks === null || matters === null) return null;
  const isUsed = survey.canExplain && (tasks || matters || hasRecords(survey));
  const words = isUsed ? await explained(survey.words, asking) : [];
  return words === null ? null : { tasks, matters, words };
}

/** Whether notes lie where the settings already look for them. */
function hasRecords({ standing }: Survey): boolean {
  return standing.tasks + standing.matters > 0;
}

async function agreedTo(found: FoundFolder | null, noun: string, asking: InitAsking): Promise<boolean | null> {
  if (found === null) return false;
  const what = `${count(found.notes, 'note')} in ${clean(found.folder)}`;
  return asking.agree(`Look after the ${what} as ${noun}s, where they lie? The settings will say so.`, isClear(found));
}

/** Whether most notes of a folder are what the folder is for; else only a person says so. */
function isClear(found: FoundFolder | null): boolean {
  return found !== null && found.beside * 2 <= found.notes;
}

async function explained(words: readonly FoundWord[], asking: InitAsking): Promise<FoundWord[] | null> {
  const known = words.filter(({ state }) => state !== null);
  for (const word of words.filter(({ state, notes }) => state === null && notes > 0).slice(0, MOST_WORDS)) {
    const meaning = await asking.meaning(clean(word.word), word.notes);
    if (meaning === null) return null;
    if (meaning !== 'unknown') known.push({ ...word, state: meaning });
  }
  return known;
}

const SNIPPET_QUESTION = `Let Obsidian hide in event notes what is for the steward alone (${SNIPPET_FILE})?`;

function mendQuestion(wrong: readonly WrongType[]): string {
  return `Obsidian shows ${wrongWords(wrong)} as something else than a box, so nobody can tick it. Mend that?`;
}

function wrongWords(wrong: readonly WrongType[]): string {
  return wrong.map(({ key, is }) => `${key} (${clean(is)})`).join(', ');
}
