-- What organizations have stored already, one after the other, while they write. They have the large quotas until the events,
-- which are all read once more, say whether an owner has confirmed an address.
INSERT INTO storage_quotas (organization_id, is_confirmed)
SELECT organization_id, true FROM event_subjects GROUP BY organization_id;
SELECT set_config('app.organization_id', organization_id::text, true), app.recount_storage()
FROM (SELECT organization_id FROM event_subjects UNION SELECT organization_id FROM organization_ends) AS known;
