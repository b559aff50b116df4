import { once } from 'node:events';
import http from 'node:http';

/** Says on loopback whose an access token is, as the server of a large provider does to its mail servers. */
export class TokenServer {
  /** Users by the tokens that are good at this moment. */
  readonly good = new Map<string, string>();
  /** How often it was asked. */
  asked = 0;
  readonly #server = http.createServer((request, response) => {
    this.asked += 1;
    const token = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('access_token') ?? '';
    const user = this.good.get(token);
    response.writeHead(user === undefined ? 401 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(user === undefined ? { error: 'invalid_token' } : { active: 'yes', user }));
  });

  static async start(): Promise<TokenServer> {
    const tokens = new TokenServer();
    tokens.#server.listen(0, '127.0.0.1');
    await once(tokens.#server, 'listening');
    return tokens;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
