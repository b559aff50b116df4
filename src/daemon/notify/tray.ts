import { type ChannelName, emptyTray, type NotifyMemory, type Tray } from '../../steward/notify/memory.ts';
import type { State } from '../context/state.ts';

/** Returns what a channel has still to say. */
export function trayOf(state: State, name: ChannelName): Tray {
  return state.get('notify').trays[name] ?? emptyTray();
}

/** Changes what is remembered of a channel, on disk. Throws what the disk refuses. */
export function keepTray(state: State, name: ChannelName, change: (tray: Tray) => Tray): void {
  const memory = state.get('notify');
  keepMemory(state, { ...memory, trays: { ...memory.trays, [name]: change(memory.trays[name] ?? emptyTray()) } });
}

/** Replaces what is remembered of messages, on disk. Throws what the disk refuses. */
export function keepMemory(state: State, memory: NotifyMemory): void {
  state.set('notify', memory);
  state.save('notify');
}
