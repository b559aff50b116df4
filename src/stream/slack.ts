import { namesInZip } from './chats-file-title.ts';
import type { ItemKind } from './items.ts';

const IN_EXPORT =
  /^(?:[^/]+\/)?(?:(?:users|org_users|channels|groups|dms|mpims|integration_logs|canvases|lists|huddle_transcripts|file_conversations)\.json|[^/]+\/\d{4}-\d\d-\d\d\.json)$/;

/** The export of a Slack workspace: a zip with one file a channel and day. */
export const SLACK: ItemKind = {
  name: 'slack',
  version: 1,
  title: 'a Slack export (zip)',
  sourceType: 'slack_channel',
  takes: (file) => /\.zip$/i.test(file),
  recognises: (head) => namesInZip(head).some((name) => IN_EXPORT.test(name)),
  isAppended: false,
  load: async () => (await import('./slack-reader.ts')).readSlack,
};
