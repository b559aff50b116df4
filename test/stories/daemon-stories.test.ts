// Over 5 s: each story starts the built daemon on a vault of its own. These are the scenarios of `npm test`.
import { tellStories } from './tell.ts';

tellStories({ withDaemon: true });
