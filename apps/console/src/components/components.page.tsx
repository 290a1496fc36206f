import { Suspense, useState } from 'react';
import { Avatar } from '../design/avatar.tsx';
import { Badge } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Choice, Choices } from '../design/choices.tsx';
import { Combobox } from '../design/combobox.tsx';
import { Confirm } from '../design/confirm.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { Facts } from '../design/facts.tsx';
import { PasswordField, TextField } from '../design/field.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { languageNames, languages, useLanguage, useWords, type Language } from '../design/language.ts';
import { List, ListItem } from '../design/list.tsx';
import { Menu, MenuChoices, MenuEntry } from '../design/menu.tsx';
import { useMoney } from '../design/money.ts';
import { Notice } from '../design/notice.tsx';
import { NumberField } from '../design/number-field.tsx';
import { Page as Frame, Row, Section } from '../design/page.tsx';
import { PlainForm } from '../design/plain-form.tsx';
import { Reader } from '../design/reader.tsx';
import { SelectField } from '../design/select-field.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Cell, Table, TableRow } from '../design/table.tsx';
import { TextArea } from '../design/text-area.tsx';
import { useToasts } from '../design/use-toasts.ts';
import { Failure } from '../failures/failure.tsx';
import styles from './components.module.css';
import { componentWords } from './components.words.ts';

const themes = ['light', 'dark'] as const;

/** Every component that pages are made of, in either language, light and dark. In development only: `pages.tsx`. */
export function Page() {
  const words = useWords(componentWords);
  const own = useLanguage();
  const [language, setLanguage] = useState<Language>(own);
  const [theme, setTheme] = useState<(typeof themes)[number]>('light');
  return (
    <Frame title={words.title}>
      <p>{words.about}</p>
      <Row>
        <SelectField
          {...{ name: 'language', label: words.language, value: language }}
          onChange={({ target }) => setLanguage(languages.find((one) => one === target.value) ?? own)}
        >
          {languages.map((one) => (
            <option key={one} value={one} lang={one}>
              {languageNames[one]}
            </option>
          ))}
        </SelectField>
        <SelectField
          {...{ name: 'appearance', label: words.appearance, value: theme }}
          onChange={({ target }) => setTheme(themes.find((one) => one === target.value) ?? 'light')}
        >
          {themes.map((one) => (
            <option key={one} value={one}>
              {words[one]}
            </option>
          ))}
        </SelectField>
      </Row>
      <Reader language={language} timeZone="Europe/Stockholm">
        <div lang={language} className={`${styles['samples']} ${styles[theme]}`}>
          <Suspense fallback={null}>
            <Buttons />
            <Fields />
            <Lists />
            <Menus />
            <Messages />
            <States />
          </Suspense>
        </div>
      </Reader>
    </Frame>
  );
}

const nothing = () => undefined;

function Buttons() {
  const words = useWords(componentWords);
  return (
    <Section title={words.buttons}>
      <Row>
        <Button kind="primary">{words.save}</Button>
        <Button>{words.cancel}</Button>
        <Button kind="danger">{words.remove}</Button>
        <Button kind="plain">{words.cancel}</Button>
        <Button kind="primary" isBusy>
          {words.save}
        </Button>
        <IconButton icon="edit" label={words.name} />
        <CopyButton text={words.title} words={words.copy} />
      </Row>
      <Confirm
        {...{ action: words.remove, question: words.sure, confirm: words.remove, cancel: words.cancel }}
        onConfirm={nothing}
      />
    </Section>
  );
}

function Fields() {
  const words = useWords(componentWords);
  const [text, setText] = useState('');
  const [rate, setRate] = useState('25');
  return (
    <Section title={words.fields}>
      <PlainForm onSubmit={nothing}>
        <TextField name="name" label={words.name} hint={words.hint} required />
        <TextField name="wrong" label={words.name} error={words.wrong} required />
        <PasswordField name="password" label={words.password} words={words.reveal} autoComplete="off" />
        <NumberField name="rate" label={words.rate} text={rate} onType={setRate} words={words} />
        <SelectField name="select" label={words.language}>
          {languages.map((one) => (
            <option key={one}>{languageNames[one]}</option>
          ))}
        </SelectField>
        <Combobox
          {...{ name: 'customer', label: words.total, text, onType: setText, onChoose: setText }}
          options={[1, 2, 3].map((number) => ({ key: words.row(number), title: words.row(number) }))}
        />
        <TextArea name="message" label={words.message} rows={3} />
        <Choices legend={words.appearance}>
          <Choice type="checkbox" name="light" label={words.light} defaultChecked />
          <Choice type="checkbox" name="dark" label={words.dark} />
        </Choices>
      </PlainForm>
    </Section>
  );
}

function Lists() {
  const words = useWords(componentWords);
  const money = useMoney();
  const [sort, setSort] = useState<'number' | '-number'>('number');
  const numbers = sort === 'number' ? [1, 2, 3] : [3, 2, 1];
  return (
    <Section title={words.lists}>
      <Table
        label={words.lists}
        columns={[
          { name: 'number', title: words.number, orders: ['number', '-number'] },
          { name: 'total', title: words.total, isAtEnd: true },
        ]}
        layout={styles}
        sort={sort}
        onSort={setSort}
      >
        {numbers.map((number) => (
          <TableRow key={number} className={styles['row']}>
            <Cell className={undefined}>{words.row(number)}</Cell>
            <Cell className={undefined} isQuiet isAtEnd>
              {money(number * 1_250, 'SEK')}
            </Cell>
          </TableRow>
        ))}
      </Table>
      <List label={words.states}>
        <ListItem title={words.row(1)} details={[words.hint]} action={<Badge>{words.light}</Badge>} />
        <ListItem title={words.row(2)} action={<Badge kind="problem">{words.dark}</Badge>} />
      </List>
      <Facts
        facts={[
          [words.name, 'Tenantry'],
          [words.total, money(1_250, 'SEK')],
        ]}
      />
      <Row>
        <Avatar name="Ada Lovelace" />
        <Avatar name="Import" isProgram />
        <Badge kind="strong">{words.title}</Badge>
      </Row>
    </Section>
  );
}

function Menus() {
  const words = useWords(componentWords);
  const [chosen, choose] = useState<(typeof themes)[number]>('light');
  const [isOpen, open] = useState(false);
  const toasts = useToasts();
  return (
    <Section title={words.menus}>
      <Row>
        <Menu label={words.menus} side="start" button={words.menus}>
          <MenuEntry onChoose={nothing}>{words.save}</MenuEntry>
          <MenuChoices
            label={words.appearance}
            choices={themes.map((theme) => [theme, words[theme]] as const)}
            {...{ chosen, onChoose: choose }}
          />
          <MenuEntry isDanger onChoose={nothing}>
            {words.remove}
          </MenuEntry>
        </Menu>
        <Button onClick={() => open(true)}>{words.dialog}</Button>
        <Button onClick={() => toasts.show({ text: words.done, undo: nothing })}>{words.toast}</Button>
      </Row>
      {isOpen && (
        <Dialog title={words.dialog} onClose={() => open(false)}>
          <p>{words.about}</p>
        </Dialog>
      )}
    </Section>
  );
}

function Messages() {
  const words = useWords(componentWords);
  return (
    <Section title={words.messages}>
      <Notice kind="success">{words.done}</Notice>
      <Notice kind="news">{words.news}</Notice>
      <Notice kind="problem">{words.failed}</Notice>
      <Failure error={new Error('A defect of the console.')} onRetry={nothing} />
    </Section>
  );
}

function States() {
  const words = useWords(componentWords);
  return (
    <Section title={words.states}>
      <Skeleton label={words.loading} lines={3} />
      <EmptyState title={words.empty}>
        <p>{words.emptyText}</p>
        <Button kind="primary">{words.save}</Button>
      </EmptyState>
    </Section>
  );
}
