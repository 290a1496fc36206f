// What a front end does with the session: it keeps no token, renews the session when the access token has expired, and
// tells its other tabs when the organization changes or the session ends.
const api = new URLSearchParams(location.search).get('api');
const tabs = new BroadcastChannel('session');
const byId = (id) => document.getElementById(id);
let csrfToken;

async function send(method, path, body) {
  const headers = { ...(body && { 'content-type': 'application/json' }) };
  if (method !== 'GET') headers['x-csrf-token'] = csrfToken ??= await readCsrfToken();
  return fetch(api + path, {
    method,
    headers,
    credentials: 'include',
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function readCsrfToken() {
  const answer = await fetch(`${api}/api/auth/csrf`, { credentials: 'include' });
  return answer.ok ? (await answer.json()).token : '';
}

/** Renews the session once where the access token has expired. */
async function call(method, path, body) {
  const answer = await send(method, path, body);
  if (answer.status !== 401) return answer;
  const renewed = await navigator.locks.request('renew', () => send('POST', '/api/auth/refresh', {}));
  return renewed.ok ? send(method, path, body) : answer;
}

async function show() {
  const answer = await call('GET', '/api/auth/session');
  const isSignedIn = answer.ok;
  document.querySelector('section').hidden = !isSignedIn;
  byId('sign-up').hidden = isSignedIn;
  if (!isSignedIn) csrfToken = undefined;
  if (isSignedIn) {
    const { organization } = await answer.json();
    byId('organization').textContent = organization.name;
    const { data } = await (await call('GET', '/api/leads')).json();
    byId('leads').replaceChildren(
      ...data.map(({ name }) => Object.assign(document.createElement('li'), { textContent: name })),
    );
  }
  byId('state').textContent = isSignedIn ? 'signed in' : 'signed out';
}

function onSubmit(id, act) {
  byId(id).addEventListener('submit', async (event) => {
    event.preventDefault();
    byId('state').textContent = 'working';
    await act(Object.fromEntries(new FormData(event.target)));
    await show();
  });
}

onSubmit('sign-up', async ({ email, password }) => {
  // Nobody is signed in, so there is no CSRF token yet.
  csrfToken = '';
  await send('POST', '/api/auth/sign-up/email', { email, password, name: 'Ada' });
  csrfToken = undefined;
});
onSubmit('found', async ({ name }) => {
  const slug = `${name.toLowerCase()}-${crypto.randomUUID().slice(0, 8)}`;
  const created = await call('POST', '/api/auth/organization/create', { name, slug });
  const { organization } = await created.json();
  await call('POST', '/api/auth/organization/switch', { organizationId: organization.id });
  tabs.postMessage('changed');
});
onSubmit('add', ({ name }) => call('POST', '/api/leads', { name, email: 'lead@example.com' }));
byId('add-passkey').addEventListener('click', async () => {
  const { options } = await (await call('POST', '/api/auth/passkeys/options')).json();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  await call('POST', '/api/auth/passkeys', { response: credential.toJSON() });
});
byId('use-passkey').addEventListener('click', async () => {
  csrfToken = '';
  const { options, token } = await (await send('POST', '/api/auth/sign-in/passkey/options')).json();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  await send('POST', '/api/auth/sign-in/passkey', { token, response: credential.toJSON() });
  csrfToken = undefined;
  await show();
});
byId('sign-out').addEventListener('click', async () => {
  await call('POST', '/api/auth/sign-out');
  tabs.postMessage('changed');
  await show();
});
tabs.addEventListener('message', show);
// For what the page has no button for.
globalThis.call = call;
await show();
