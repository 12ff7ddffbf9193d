// Says on a merge request of GitLab which facts it changes: one comment, which is written anew each time.
//   comment-on-gitlab.mjs <changes.md>
//   CODEGENIE_COMMENT_TOKEN  a token that may write comments (scope `api`); without it, or without a merge request, nothing is done
//   CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID  as GitLab sets them

import { existsSync, readFileSync } from 'node:fs';

const mark = '<!-- codegenie -->';
const longest = 60_000;
const pages = 10;

const {
  CODEGENIE_COMMENT_TOKEN: token,
  CI_API_V4_URL: api,
  CI_PROJECT_ID: project,
  CI_MERGE_REQUEST_IID: request,
} = process.env;
const file = process.argv[2] ?? 'codegenie-out/changes.md';
if (!token || !api || !project || !request || !existsSync(file)) process.exit(0);

const notes = `${api}/projects/${encodeURIComponent(project)}/merge_requests/${encodeURIComponent(request)}/notes`;
const body = `${mark}\n## Facts that this changes\n\n${readFileSync(file, 'utf8').slice(0, longest)}`;
const ask = async (url, method, fields) => {
  const response = await fetch(url, {
    method,
    headers: { 'private-token': token, 'content-type': 'application/json' },
    body: fields && JSON.stringify(fields),
  });
  if (!response.ok) throw new Error(`GitLab answers ${response.status} to ${method} of the comments`);
  return response.json();
};

let mine;
for (let page = 1; page <= pages && mine === undefined; page += 1) {
  const listed = await ask(`${notes}?per_page=100&page=${page}`, 'GET');
  mine = listed.find((note) => !note.system && note.body.startsWith(mark));
  if (listed.length < 100) break;
}
if (mine === undefined) await ask(notes, 'POST', { body });
else await ask(`${notes}/${mine.id}`, 'PUT', { body });
