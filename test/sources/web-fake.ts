import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

/** What a web server answers. */
interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

interface Asked {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
}

/** A web server on this machine that answers as it is told. */
export class WebFake {
  readonly asked: Asked[] = [];
  answer: (asked: Asked) => Answer = () => ({ status: 404 });
  readonly #server: http.Server | https.Server;
  readonly #scheme: string;

  private constructor(tls: https.ServerOptions | null) {
    const listen = (request: http.IncomingMessage, response: http.ServerResponse) => {
      const asked = { path: request.url ?? '', headers: request.headers };
      this.asked.push(asked);
      const { status = 200, headers = {}, body = '' } = this.answer(asked);
      response.writeHead(status, headers).end(body);
    };
    this.#scheme = tls === null ? 'http' : 'https';
    this.#server = tls === null ? http.createServer(listen) : https.createServer(tls, listen);
  }

  static async start(tls: https.ServerOptions | null = null): Promise<WebFake> {
    const fake = new WebFake(tls);
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
