package screen

// tokenFormat is a credential known by its prefix.
type tokenFormat struct {
	kind   string
	prefix string
	class  func(byte) bool // bytes of the body
	min    int             // bytes of the body
	max    int             // 0 is no limit
	mixed  bool            // the body needs a digit and letters of both cases, or is hexadecimal
}

// tokenFormats lists the formats as their issuers describe them.
func tokenFormats() []tokenFormat {
	var all []tokenFormat
	add := func(kind string, class func(byte) bool, lo, hi int, mixed bool, prefixes ...string) {
		for _, p := range prefixes {
			all = append(all, tokenFormat{kind, p, class, lo, hi, mixed})
		}
	}
	add("aws-access-key", upperDigit, 16, 16, false, "AKIA", "ASIA", "ABIA", "ACCA")
	add("github-token", alnum, 36, 255, false, "ghp_", "gho_", "ghu_", "ghs_", "ghr_")
	add("github-token", wordOnly, 36, 255, true, "github_pat_")
	add("gitlab-token", tokenByte, 20, 300, true, "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glagent-", "gloas-", "glsoat-", "glimt-")
	add("slack-token", dashed, 20, 300, true, "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe-", "xoxe.xoxp-", "xoxc-", "xoxd-", "xapp-")
	add("slack-webhook", slashed, 30, 100, true, "https://hooks.slack.com/services/", "https://hooks.slack.com/workflows/")
	add("discord-webhook", pathByte, 60, 120, true, "https://discord.com/api/webhooks/", "https://discordapp.com/api/webhooks/")
	add("stripe-key", alnum, 16, 250, true, "sk_live_", "sk_test_", "rk_live_", "rk_test_")
	add("stripe-webhook-secret", alnum, 24, 100, true, "whsec_")
	add("npm-token", alnum, 36, 36, true, "npm_")
	add("pypi-token", tokenByte, 50, 0, true, "pypi-AgE")
	add("anthropic-key", tokenByte, 32, 250, true, "sk-ant-")
	add("openai-key", tokenByte, 32, 250, true, "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-")
	add("openai-key", alnum, 32, 100, true, "sk-")
	add("google-api-key", tokenByte, 35, 35, true, "AIza")
	add("google-oauth-secret", tokenByte, 24, 40, true, "GOCSPX-")
	add("google-oauth-token", tokenByte, 40, 0, true, "ya29.")
	add("huggingface-token", alnum, 30, 60, true, "hf_")
	add("sendgrid-key", dotted, 60, 80, true, "SG.")
	add("digitalocean-token", lowerHex, 64, 64, false, "dop_v1_", "doo_v1_", "dor_v1_")
	add("twilio-key", lowerHex, 32, 32, false, "SK")
	add("azure-key", base64Byte, 80, 100, true, "AccountKey=", "SharedAccessKey=")
	add("shopify-token", lowerHex, 32, 32, false, "shpat_", "shpca_", "shppa_", "shpss_")
	add("square-token", tokenByte, 22, 64, true, "sq0atp-", "sq0csp-")
	add("databricks-token", lowerHex, 32, 40, false, "dapi")
	add("vault-token", tokenByte, 24, 200, true, "hvs.", "hvb.")
	add("docker-token", tokenByte, 27, 60, true, "dckr_pat_", "dckr_oat_")
	add("grafana-token", wordOnly, 32, 80, true, "glsa_", "glc_")
	add("postman-key", dashed, 59, 70, true, "PMAK-")
	add("pulumi-token", lowerHex, 40, 40, false, "pul-")
	add("rubygems-key", lowerHex, 48, 48, false, "rubygems_")
	add("linear-key", alnum, 32, 60, true, "lin_api_", "lin_oauth_")
	add("notion-token", alnum, 40, 60, true, "ntn_", "secret_")
	add("figma-token", tokenByte, 36, 60, true, "figd_")
	add("supabase-token", lowerHex, 40, 40, false, "sbp_")
	add("sentry-token", tokenByte, 60, 250, true, "sntrys_", "sntryu_")
	add("doppler-token", alnum, 40, 60, true, "dp.pt.", "dp.st.", "dp.ct.")
	add("age-key", upperDigit, 58, 58, false, "AGE-SECRET-KEY-1")
	add("driftless-key", tokenByte, 24, 200, true, "dl_")
	return all
}

func alnum(c byte) bool      { return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func upperDigit(c byte) bool { return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' }
func lowerHex(c byte) bool   { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' }
func wordOnly(c byte) bool   { return alnum(c) || c == '_' }
func dashed(c byte) bool     { return alnum(c) || c == '-' }
func tokenByte(c byte) bool  { return alnum(c) || c == '_' || c == '-' }
func dotted(c byte) bool     { return tokenByte(c) || c == '.' }
func slashed(c byte) bool    { return alnum(c) || c == '/' }
func pathByte(c byte) bool   { return tokenByte(c) || c == '/' }
func base64Byte(c byte) bool { return alnum(c) || c == '+' || c == '/' || c == '=' }
func urlBase64Byte(c byte) bool {
	return tokenByte(c) || c == '='
}
