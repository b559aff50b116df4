import { z } from 'zod';

/** Where TaskNotes keeps its settings in a vault. */
export const TASKNOTES_FILE = '.obsidian/plugins/tasknotes/data.json';

const words = z.string().max(200);
const status = z.looseObject({ value: words, isCompleted: z.boolean().catch(false), order: z.number().catch(0) });
const fieldNames = z.looseObject({
  status: words.catch('status'),
  due: words.catch('due'),
  scheduled: words.catch('scheduled'),
  completedDate: words.catch('completedDate'),
  projects: words.catch('projects'),
});

/**
 * What TaskNotes says of its tasks. Its settings hold much else, a token among it, and none of that is kept. What one
 * version of it does not write is as TaskNotes itself takes it.
 */
export const taskNotesSettings = z
  .looseObject({
    tasksFolder: words.catch('TaskNotes/Tasks'),
    taskTag: words.catch('task'),
    defaultTaskStatus: words.catch('open'),
    customStatuses: z.array(z.unknown()).max(200).catch([]),
    fieldMapping: fieldNames.catch(fieldNames.parse({})),
  })
  .transform(({ tasksFolder, taskTag, defaultTaskStatus, customStatuses, fieldMapping }) => ({
    tasksFolder: tasksFolder.replace(/^\/+|(?<!\/)\/+$/g, ''),
    taskTag,
    defaultTaskStatus,
    statuses: customStatuses
      .flatMap((one) => status.safeParse(one).data ?? [])
      .toSorted((one, other) => one.order - other.order)
      .map(({ value, isCompleted }) => ({ value, isCompleted })),
    fields: {
      status: fieldMapping.status,
      due: fieldMapping.due,
      scheduled: fieldMapping.scheduled,
      completedDate: fieldMapping.completedDate,
      projects: fieldMapping.projects,
    },
  }));
export type TaskNotesSettings = z.infer<typeof taskNotesSettings>;

/** What TaskNotes does where it was never set up. */
export const TASKNOTES_AS_IT_COMES: TaskNotesSettings = taskNotesSettings.parse({});
