/** What the page of a topic shows beside its text. */
export const topicTabs = ['text', 'comments', 'solutions', 'history', 'graph'] as const;

export type TopicTab = (typeof topicTabs)[number];
