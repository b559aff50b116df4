import { z } from 'zod';

/** A text as tsdav gives it: some become numbers or truths on the way, and one in CDATA lies deeper. */
const text = z
  .union([
    z.string(),
    z.number().transform(String),
    z.boolean().transform(String),
    z.object({ _cdata: z.string() }).transform(({ _cdata }) => _cdata),
    z.object({ _text: z.string() }).transform(({ _text }) => _text),
  ])
  .catch('')
  .transform((written) => written.trim());
const listOf = <Kind extends z.ZodType>(kind: Kind) =>
  z.preprocess((value) => (Array.isArray(value) ? value : value === undefined ? [] : [value]), z.array(kind)).catch([]);
const hrefs = z
  .object({ href: listOf(text) })
  .transform(({ href }) => href.filter((one) => one !== ''))
  .catch([]);
const component = z
  .object({ _attributes: z.object({ name: z.string() }) })
  .transform(({ _attributes }) => _attributes.name);
/** What of a report matters here: its name. */
const report = z.object({ report: z.record(z.string(), z.unknown()) }).transform((one) => Object.keys(one.report));

const properties = z
  .object({
    currentUserPrincipal: hrefs,
    calendarHomeSet: hrefs,
    displayname: text,
    resourcetype: z
      .record(z.string(), z.unknown())
      .catch({})
      .transform((kinds) => Object.keys(kinds)),
    supportedCalendarComponentSet: z
      .object({ comp: listOf(component) })
      .transform(({ comp }) => comp)
      .catch([]),
    supportedReportSet: z
      .object({ supportedReport: listOf(report) })
      .transform(({ supportedReport }) => supportedReport.flat())
      .catch([]),
    syncToken: text,
    getctag: text,
    getetag: text,
    calendarData: text,
  })
  .partial();

/** What a server says of one thing. */
export const answered = z.object({
  href: text,
  status: z.number(),
  props: properties.catch({}).default({}),
});
export type Answered = z.infer<typeof answered>;

/** What stands around the answers: the token of a sync. */
export const around = z
  .object({ multistatus: z.object({ syncToken: text.optional() }) })
  .transform(({ multistatus }) => multistatus.syncToken ?? '')
  .catch('');
