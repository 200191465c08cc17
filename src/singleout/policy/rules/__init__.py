"""What a policy says: rules, attackers and measures it may name, and the policies of singleout."""
