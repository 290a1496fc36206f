import { Transitions } from '@tenantry/service/resources';

/** The states of a lead, and the moves that every organization has. */
export const leadStatus = new Transitions(
  { noun: 'lead' },
  {
    new: ['contacted'],
    contacted: ['qualified', 'lost'],
    qualified: ['won'],
    lost: [],
    won: [],
  },
);

/** The status of a lead. */
export type LeadStatus = (typeof leadStatus.states)[number];

/** A number for each status. */
export type ByStatus = Readonly<Record<LeadStatus, number>>;

/** The moves that an organization may allow beside those, by their names. */
const furtherTable = {
  'new-to-lost': ['new', 'lost'],
  'qualified-to-lost': ['qualified', 'lost'],
  'lost-to-contacted': ['lost', 'contacted'],
  'won-to-qualified': ['won', 'qualified'],
} as const satisfies Readonly<Record<string, readonly [from: LeadStatus, to: LeadStatus]>>;

/** The name of a move that an organization may allow. */
export type FurtherMove = keyof typeof furtherTable;
export const furtherMoves = Object.keys(furtherTable) as readonly FurtherMove[];

/** Those of a row. A CHECK lets in only moves that there are. */
export const furtherMovesOf = (stored: readonly string[]) => stored as readonly FurtherMove[];

/** The moves of an organization that allows some of the further ones. */
export type LeadMoves = Pick<typeof leadStatus, 'allowedFrom' | 'allows' | 'require'>;
export const movesWith = (allowed: readonly FurtherMove[]): LeadMoves =>
  allowed.length === 0 ? leadStatus : leadStatus.with(allowed.map((move) => furtherTable[move]));

/** All moves in words, for a schema's description. */
export const leadMovesDescription = `${leadStatus.description}; an organization may allow further ones (\`PATCH /api/leads/settings\`): ${furtherMoves.map((move) => move.replace('-to-', ' to ')).join(', ')}`;
