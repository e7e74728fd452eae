# One image for the server and for the workers of a fleet; the command says which it is.
# Not built where this repository is tested (no container engine there).
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Scripts are left out: `prepare` builds, and the sources come below.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run -s build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:20-bookworm-slim
# Activities run git in the lanes of this host.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates git tini \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# Found relative to the compiled code, which holds no SQL.
COPY --from=build /app/db/migrations ./db/migrations
RUN mkdir -p /var/lib/yoke && chown node:node /var/lib/yoke
USER node
ENV YOKE_DATA_DIR=/var/lib/yoke
ENTRYPOINT ["tini", "--"]
CMD ["node", "dist/src/server/main.js"]
