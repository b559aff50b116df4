/** What a proposal may change. */
export const MUTATION_CLASSES = ['state_change', 'context_edit', 'parent_matter', 'related'] as const;
export type MutationClass = (typeof MUTATION_CLASSES)[number];
