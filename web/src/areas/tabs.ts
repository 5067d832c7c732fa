/** What is curated, one after the other. */
export const curationTabs = ['areas', 'tags', 'unfiled'] as const;

export type CurationTab = (typeof curationTabs)[number];
