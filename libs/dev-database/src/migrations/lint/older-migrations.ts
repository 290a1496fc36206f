/**
 * Migrations that were there before they were judged, and never change. The list is closed: a later one gives its reasons
 * in `-- safe: …`.
 */
export const olderMigrations: ReadonlySet<string> = new Set([
  'auth-service/20261120104100_organizations_and_invitations',
  'auth-service/20261120104200_two_factor',
  'auth-service/20261120104600_rotate_refresh_tokens',
  'auth-service/20261120110500_schedule_signing_keys',
  'auth-service/20261120130000_scope_by_expression',
  'auth-service/20261121190000_sign_in_by_any_method',
  'auth-service/20261121210000_personal_organizations',
  'auth-service/20261121211000_former_refresh_hashes',
  'auth-service/20261121212000_bind_by_products_and_networks',
  'auth-service/20261121213000_forget_erased_actors',
  'auth-service/20261121214500_tell_each_membership',
  'auth-service/20261122010000_seller_details',
  'auth-service/20261122010000_sweep_in_batches',
  'auth-service/20261122013000_logos',
  'auth-service/20261122013000_own_audit_trail',
  'auth-service/20261122020000_disable_accounts',
  'auth-service/20261122020000_drop_members_told_in_part',
  'auth-service/20261122021000_user_profiles',
  'leads-service/20261120130000_scope_by_expression',
  'leads-service/20261121190000_count_leads_without_a_sequence',
  'leads-service/20261121220000_search_and_sort',
  'quotation-service/20261120130000_scope_by_expression',
  'quotation-service/20261121220000_decisions',
  'quotation-service/20261122013000_logos',
  'quotation-service/20261122020000_answers_to_sellers',
  'users-service/20261120130000_scope_by_expression',
  'users-service/20261121220000_directory',
]);
