// Over 5 s: each story runs the built program several times.
import { tellStories } from './tell.ts';

tellStories({ withDaemon: false });
