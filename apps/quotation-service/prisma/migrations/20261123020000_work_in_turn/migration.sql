-- Organizations take turns in the work that is ready. The release before leaves `is_ready` as it is: a worker of this one finds
-- what is due and not ready at its next look. Attempts that nobody has answered for are counted: at two the work is set aside.
ALTER TABLE due_work
  ADD COLUMN is_ready boolean NOT NULL DEFAULT false,
  ADD COLUMN unanswered integer NOT NULL DEFAULT 0;
