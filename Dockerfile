# Builds from Docker's, Debian's and npm's registries alone: docker build -t vault-steward .
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# The scripts of packages are not run: none is needed, and none can look around.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY rolldown.config.ts ./
COPY src ./src
COPY data ./data
COPY bin ./bin
RUN npm run build && find dist -name '*.map' -delete
# Without what makes the program, but with the readers of mailboxes and calendars, which npm would leave out as optional.
RUN npm pkg delete devDependencies peerDependencies peerDependenciesMeta \
  && npm prune --ignore-scripts --no-audit --no-fund \
  && npm install --no-save --ignore-scripts --no-audit --no-fund imapflow@2.10.2 tsdav@2.3.4

FROM node:24-bookworm-slim
ENV NODE_ENV=production STEWARD_VAULT=/vault STEWARD_LIVE_MODE=shadow STEWARD_LOG=json \
  XDG_STATE_HOME=/state XDG_RUNTIME_DIR=/run/steward
COPY --from=build /build/node_modules /opt/vault-steward/node_modules
COPY --from=build /build/dist /opt/vault-steward/dist
COPY package.json LICENSE README.md /opt/vault-steward/
COPY bin /opt/vault-steward/bin
COPY data /opt/vault-steward/data
COPY systemd /opt/vault-steward/systemd
COPY template /opt/vault-steward/template
COPY vault-example /opt/vault-steward/vault-example
RUN ln -s /opt/vault-steward/bin/steward.js /usr/local/bin/steward \
  && install -d -o node -g node -m 0700 /vault /state /run/steward
# 1000. Start it as whom the vault belongs to: --user "$(id -u):$(id -g)"
USER node
VOLUME ["/vault", "/state"]
# SIGTERM ends it in order, within ten seconds.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=60s --timeout=10s --start-period=180s --retries=3 \
  CMD ["node", "-e", "const s=require('node:child_process').execFileSync('steward',['status','--json'],{encoding:'utf8'});process.exit(JSON.parse(s).daemon.state==='running'?0:1)"]
ENTRYPOINT ["steward"]
CMD ["run"]
