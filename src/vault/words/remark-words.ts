/** What an event note says where an answer in it can mean nothing. */
export const REMARKS = {
  isMade: 'This change is already made: tick undo to take it back.',
  nothingProposed: 'No answer needed: nothing is proposed here.',
  changedNothing: 'This changed no note, so there is nothing to take back.',
  changedNothingYet: 'This changed no note, so there is nothing to take back. Tick dismiss to let it go.',
  both: 'Both confirm and dismiss are ticked: untick one of them.',
  onlySeen: 'No change is proposed: tick dismiss once you have seen to it.',
  which: 'Several notes could be meant: tick the right one below, or write its link into choose.',
  chosenAndDismissed: 'You chose a note and ticked dismiss: take one of the two back.',
  several: 'Several notes are chosen: keep the tick at the right one only, and leave choose empty.',
  noSuchNote: 'The link in choose leads to no task and no matter of this vault.',
  confirmed: (by: string) => `Already confirmed in [[${by}]]: tick undo there to take it back.`,
  dismissed: (by: string) => `Already dismissed in [[${by}]].`,
  settled: (reason: string) => `It no longer waits: ${reason}.`,
  superseded: (by: string) => `A newer note has taken its place: [[${by}]].`,
} as const;
