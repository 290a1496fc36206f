import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Form } from '../design/form.tsx';
import { useWords } from '../design/language.ts';
import { Row } from '../design/page.tsx';
import { Failure } from '../failures/failure.tsx';
import { CustomerInputs, typedCustomer } from './customer-inputs.tsx';
import { useCreateCustomer } from './customers.queries.ts';
import { customerWords } from './customers.words.ts';

/** The button for a new customer, whose page opens once it is there. */
export function NewCustomer() {
  const { creating: words } = useWords(customerWords);
  const [isOpen, open] = useState(false);
  const create = useCreateCustomer();
  const navigate = useNavigate();
  const close = () => {
    open(false);
    create.reset();
  };
  return (
    <>
      <Button kind="primary" onClick={() => open(true)}>
        {words.title}
      </Button>
      {isOpen && (
        <Dialog title={words.title} onClose={close}>
          {(askToClose) => (
            <Form
              sends={create}
              onSubmit={(values) =>
                create.mutate(typedCustomer(values), {
                  onSuccess: (id) => navigate({ to: '/customers/$id', params: { id }, ignoreBlocker: true }),
                })
              }
            >
              {create.error !== null && <Failure error={create.error} />}
              <CustomerInputs error={create.error} />
              <Row>
                <Button type="submit" kind="primary" isBusy={create.isPending}>
                  {words.submit}
                </Button>
                <Button onClick={askToClose}>{words.cancel}</Button>
              </Row>
            </Form>
          )}
        </Dialog>
      )}
    </>
  );
}
