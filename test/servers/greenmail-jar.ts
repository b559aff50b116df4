import path from 'node:path';

/** Which GreenMail is tested with, as Maven names it. */
export const GREENMAIL = { group: 'com.icegreen', artifact: 'greenmail-standalone', version: '2.1.3' };

/** The folder that holds it once it has been fetched. */
export const GREENMAIL_FOLDER = path.resolve(import.meta.dirname, '../../node_modules/.cache/servers');

/** Where it lies then. */
export const GREENMAIL_JAR = path.join(GREENMAIL_FOLDER, `${GREENMAIL.artifact}-${GREENMAIL.version}.jar`);
