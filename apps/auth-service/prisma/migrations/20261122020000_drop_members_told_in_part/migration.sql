-- What earlier versions said of a member lacks parts that readers need, and would stop them for good. Each member was
-- told again by 20261121214500_tell_each_membership, after these.
DELETE FROM "events"
WHERE "type" IN ('member.added', 'member.role-changed')
  AND NOT "payload" ?& ARRAY['organizationId', 'userId', 'email', 'name', 'familyName', 'role', 'createdAt'];
