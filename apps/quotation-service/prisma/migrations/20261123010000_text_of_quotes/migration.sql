-- How many bytes of text a quote has in all, and as of which version. The two differ after a change by the release before, and
-- in rows from before this column: the next change of the draft counts its text first.
ALTER TABLE quotes
  ADD COLUMN text_bytes integer,
  ADD COLUMN text_version integer;
