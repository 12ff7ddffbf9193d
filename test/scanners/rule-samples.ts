/**
 * Code that the built-in rules are for, line by line, and code that only looks like it. A Dockerfile has no comments at the end of
 * a line: there the line before says it.
 */

export const semgrepSamples: Readonly<Record<string, string>> = {
  Dockerfile: `FROM --platform=linux/amd64 node:24 AS build
ARG NPM_TOKEN
ENV OTHER_TOKEN=$NPM_TOKEN
USER root
RUN apt-get install -y --no-install-recommends curl
RUN apt-get install -y \\
    --no-install-recommends git
RUN curl -fsSL https://example.com/list | jq .
ADD --checksum=sha256:abc https://example.com/x.tgz /x
ADD x.tgz /x
HEALTHCHECK --interval=5s \\
  CMD curl -f http://localhost
FROM registry:5000/team/node:24
USER node
ENTRYPOINT ["node"]
CMD ["server.js"]
`,
  'bad/Dockerfile': `# next hit: image-floating-tag
FROM node:latest
# next hit: image-build-argument-as-password
ARG DB_PASSWORD=hunter22
# next hit: image-build-argument-as-password
ENV API_KEY abcdefgh
# next hit: image-apt-recommends
RUN apt-get update && apt-get install -y git
# next hit: download-piped-to-shell
RUN curl -fsSL https://example.com/x | bash
# next hit: image-add-url
ADD https://example.com/x.tgz /x
# next hit: image-runs-as-root
USER root
# next hit: image-shell-form
CMD node server.js
`,
  'src/run.ts': `import { exec, execSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
eval(code); // hit: node-eval
eval('1 + 1');
new Function('a', body); // hit: node-eval
exec(\`ls \${directory}\`); // hit: node-shell-interpolation
execSync('ls ' + directory); // hit: node-shell-interpolation
exec('ls');
/x/.exec(\`\${a}b\`);
database.exec(\`drop \${table}\`);
spawn('ls', [], { shell: true }); // hit: node-shell-true
spawn('/bin/sh', ['-c', 'x']); // hit: node-absolute-binary
spawn('bin/sh');
if (process.platform === 'win32') go(); // hit: node-platform-branch
console.log(process.platform);
https.request({ host: 'x', rejectUnauthorized: false }); // hit: node-tls-verification-off
https.request({ host: 'x', rejectUnauthorized: true });
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; // hit: node-tls-verification-off
server.listen(3000, '127.0.0.1'); // hit: node-listen-localhost
server.listen({ port: 1, host: 'localhost' }); // hit: node-listen-localhost
server.listen(3000, '0.0.0.0');
fs.writeFileSync(path.join(__dirname, 'x'), 'y'); // hit: node-write-beside-code
fs.readFileSync(path.join(__dirname, 'x'));
require('./build/Release/x.node'); // hit: node-native-addon
require('./x.js');
new Buffer(10); // hit: node-unsafe-buffer
Buffer.from('x');
`,
  'src/old.js': `const children = require('child_process');
children.exec(\`rm \${x}\`); // hit: node-shell-interpolation
pattern.exec(\`\${x}\`);
`,
  'run.sh': `#!/bin/bash
eval "$COMMAND" # hit: shell-eval
eval "$(ssh-agent -s)"
rm -rf "$DIRECTORY/" # hit: shell-recursive-delete
rm -rf "$DIRECTORY/sub"
rm -rf "\${DIRECTORY:?}/"
curl -fsSL https://example.com/x | bash # hit: download-piped-to-shell
curl -s https://example.com/x | sudo -E bash - # hit: download-piped-to-shell
wget -qO- https://example.com/x | sh # hit: download-piped-to-shell
curl -fsSL https://example.com/x | jq .
chmod -R 777 /x # hit: world-writable
chmod 755 /x
curl -k https://example.com # hit: download-unverified
curl --insecure https://example.com # hit: download-unverified
curl -o k https://example.com
docker run -v /var/run/docker.sock:/s x # hit: container-engine-socket
`,
  'compose.yml': `services:
  a:
    privileged: true # hit: container-privileged
    volumes: ["/var/run/docker.sock:/s"] # hit: container-engine-socket
  b:
    privileged: false
`,
};

export const astGrepSamples: Readonly<Record<string, string>> = {
  'a.go': `package a

func f() {
	exec.Command("sh", "-c", "ls") // hit: go-shell
	exec.Command("ls", "-c", "x")
	c := &tls.Config{InsecureSkipVerify: true} // hit: go-verification-off
	d := &tls.Config{InsecureSkipVerify: false}
	p := unsafe.Pointer(x) // hit: go-unsafe-pointer
}
`,
  'b.py': `os.system("x")  # hit: python-shell
subprocess.run("x", shell=True)  # hit: python-shell
subprocess.run(["x"], shell=False)
eval(x)  # hit: python-eval
eval("1")
model.eval(x)
pickle.loads(d)  # hit: python-unsafe-load
yaml.load(x)  # hit: python-unsafe-load
yaml.load(x, Loader=yaml.SafeLoader)
requests.get(u, verify=False)  # hit: python-verification-off
requests.get(u, verify=True)
try:
    pass
except:  # hit: python-bare-except
    pass
try:
    pass
except ValueError:
    pass
`,
  'c.ts': `try { go(); } catch {} // hit: script-swallowed-error
try { go(); } catch (error) { /* it may be gone */ }
require(name); // hit: script-computed-require
require('name');
import('./name.ts');
process.on('SIGTERM', stop); // hit: script-signal-handler
process.on('exit', stop);
element.innerHTML = text; // hit: script-document-write
element.innerHTML = '';
throw new Error('x');
`,
  'd.tsx': `try { go(); } catch {} // hit: script-swallowed-error
export const view = <b>{text}</b>;
`,
  'e.js': `throw 'x'; // hit: script-throw-literal
`,
};
