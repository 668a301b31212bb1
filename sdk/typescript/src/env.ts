interface Surroundings {
  process?: { env?: Record<string, string | undefined> };
  Deno?: { env?: { get(name: string): string | undefined } };
}

/** env reads an environment variable where the run time has them and lets us. */
export function env(name: string): string | undefined {
  const { process, Deno } = globalThis as Surroundings;
  try {
    return (process?.env?.[name] ?? Deno?.env?.get(name))?.trim() || undefined;
  } catch {
    return undefined;
  }
}
