ALTER TABLE "sign_in_flows" VALIDATE CONSTRAINT "sign_in_flows_intent_check";
