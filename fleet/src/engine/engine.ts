import fs from 'node:fs';
import { Client, Connection, type ConnectionOptions } from '@temporalio/client';
import { EXIT, errorReason, StewardError } from '../steward.ts';

/** How the engine is reached. */
export interface EngineAccess {
  readonly address: string;
  readonly namespace: string;
  readonly apiKey: string | null;
  readonly tls:
    | boolean
    | { readonly serverRootCACertificate?: Buffer; readonly clientCertPair?: { crt: Buffer; key: Buffer } };
}

const CONNECT_MS = 10_000;

/**
 * Returns how the engine is reached, by the environment: `STEWARD_FLEET_ADDRESS` (host:port), `STEWARD_FLEET_NAMESPACE`,
 * `STEWARD_FLEET_API_KEY`, and files: `STEWARD_FLEET_TLS_CA`, `STEWARD_FLEET_TLS_CERT`, `STEWARD_FLEET_TLS_KEY`.
 * Throws `fleet-address` (78) where no address is named, and the system's error of a file.
 */
export function engineAccess(env: NodeJS.ProcessEnv, address = env.STEWARD_FLEET_ADDRESS): EngineAccess {
  if (address === undefined || address === '') {
    throw new StewardError(
      {
        code: 'fleet-address',
        message: 'No Temporal server is named.',
        hint: 'Give --address HOST:PORT, or set STEWARD_FLEET_ADDRESS.',
      },
      EXIT.settings,
    );
  }
  const { STEWARD_FLEET_TLS_CA: ca, STEWARD_FLEET_TLS_CERT: cert, STEWARD_FLEET_TLS_KEY: key } = env;
  const apiKey = env.STEWARD_FLEET_API_KEY ?? null;
  const pair = cert && key ? { clientCertPair: { crt: fs.readFileSync(cert), key: fs.readFileSync(key) } } : {};
  const root = ca ? { serverRootCACertificate: fs.readFileSync(ca) } : {};
  const files = { ...pair, ...root };
  return {
    address,
    namespace: env.STEWARD_FLEET_NAMESPACE ?? 'default',
    apiKey,
    tls: Object.keys(files).length > 0 ? files : apiKey !== null,
  };
}

/** Returns the options of a connection. */
export function connectionOptions({ address, apiKey, tls }: EngineAccess) {
  return { address, tls, ...(apiKey === null ? {} : { apiKey }) } satisfies ConnectionOptions;
}

/**
 * Connects for a command, and names it by `identity` alone: the SDK would tell this machine's name and the process.
 * Throws `engine-away` (75).
 */
export async function connectClient(access: EngineAccess, identity: string): Promise<Client> {
  try {
    const connection = await Connection.connect({ ...connectionOptions(access), connectTimeout: CONNECT_MS });
    return new Client({ connection, namespace: access.namespace, identity });
  } catch (error) {
    throw engineAway(access, error);
  }
}

/** Returns the error of an engine that cannot be reached, `engine-away` (exit 75). */
export function engineAway({ address }: EngineAccess, error: unknown): StewardError {
  return new StewardError(
    {
      code: 'engine-away',
      message: `The Temporal server at ${address} cannot be reached: ${errorReason(error)}.`,
      hint: 'See that it runs and that the address is right; no vault is lost meanwhile.',
    },
    EXIT.tryAgain,
    { cause: error },
  );
}
