import type { Environment } from '../api/solutions';

export const parts = ['os', 'runtime', 'pkg_manager'] as const;

export type Part = (typeof parts)[number];

/** Names an environment for a person; nothing for one that matches anything. */
export function nameOf(env: Environment | undefined): string {
  return parts.flatMap((part) => env?.[part] ?? []).join(', ');
}

/** The parts that were filled in, without those that are only spaces. */
export function filled(env: Environment): Environment {
  return Object.fromEntries(
    parts.flatMap((part) => {
      const value = env[part]?.trim();
      return value ? [[part, value]] : [];
    }),
  );
}

/** Where a report is from: what the person said, and for the rest what the solution is for. */
export function reportedFrom(said: Environment, solution: Environment | undefined): Environment {
  return { ...filled(solution ?? {}), ...filled(said) };
}
