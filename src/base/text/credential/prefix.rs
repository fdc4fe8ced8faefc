//! The prefixes with which services mark their tokens.
//!
//! Owns [`secret_behind`]. The forms are those that each service documents. A table of all of them
//! is that of gitleaks (`config/gitleaks.toml` in <https://github.com/gitleaks/gitleaks>).

/// A known prefix: how many characters follow at least, and whether these may hold `-`, `_` and
/// `.`.
struct Prefix(&'static str, usize, bool);

/// Sorted by service. Few words have three bytes in common with one of them.
const PREFIXES: &[Prefix] = &[
    // Razorpay, Neon
    Prefix("rzp_live_", 14, false),
    Prefix("npg_", 12, false),
    // Stripe, Square, Shippo, EasyPost, Flutterwave, Duffel
    Prefix("sk_live_", 10, false),
    Prefix("sk_test_", 10, false),
    Prefix("sk_prod_", 10, false),
    Prefix("rk_live_", 10, false),
    Prefix("rk_test_", 10, false),
    Prefix("rk_prod_", 10, false),
    Prefix("pk_live_", 10, false),
    Prefix("pk_test_", 10, false),
    Prefix("whsec_", 20, false),
    Prefix("sq0atp-", 20, true),
    Prefix("sq0csp-", 20, true),
    Prefix("EAAA", 50, true),
    Prefix("shippo_live_", 32, false),
    Prefix("shippo_test_", 32, false),
    Prefix("EZAK", 40, false),
    Prefix("EZTK", 40, false),
    Prefix("FLWSECK-", 20, true),
    Prefix("FLWSECK_TEST-", 20, true),
    Prefix("duffel_live_", 32, true),
    Prefix("duffel_test_", 32, true),
    // GitHub, GitLab, Bitbucket, Atlassian, Sourcegraph
    Prefix("ghp_", 20, false),
    Prefix("gho_", 20, false),
    Prefix("ghu_", 20, false),
    Prefix("ghs_", 20, false),
    Prefix("ghr_", 20, false),
    Prefix("github_pat_", 20, true),
    Prefix("glpat-", 16, true),
    Prefix("gldt-", 16, true),
    Prefix("glrt-", 16, true),
    Prefix("glcbt-", 16, true),
    Prefix("glptt-", 16, true),
    Prefix("glft-", 16, true),
    Prefix("glsoat-", 16, true),
    Prefix("glagent-", 16, true),
    Prefix("glffct-", 16, true),
    Prefix("glimt-", 16, true),
    Prefix("gloas-", 16, true),
    Prefix("ATBB", 20, false),
    Prefix("ATATT3", 20, true),
    Prefix("ATCTT3", 20, true),
    Prefix("sgp_", 32, true),
    // Slack
    Prefix("xoxb-", 10, true),
    Prefix("xoxp-", 10, true),
    Prefix("xoxa-", 10, true),
    Prefix("xoxo-", 10, true),
    Prefix("xoxr-", 10, true),
    Prefix("xoxs-", 10, true),
    Prefix("xoxe-", 10, true),
    Prefix("xoxe.", 10, true),
    Prefix("xapp-", 10, true),
    // Google, Alibaba, Yandex, Amazon, Azure
    Prefix("AIza", 30, true),
    Prefix("GOCSPX-", 20, true),
    Prefix("GOOG1", 20, false),
    Prefix("ya29.", 20, true),
    Prefix("LTAI", 16, false),
    Prefix("AQVN", 30, true),
    Prefix("ABSK", 80, false),
    // JSON web tokens: the letters are the encoding of `{"`.
    Prefix("eyJ", 14, true),
    // Registries of packages and of packaged programs
    Prefix("npm_", 30, false),
    Prefix("pypi-", 16, true),
    Prefix("rubygems_", 30, false),
    Prefix("dckr_pat_", 20, true),
    Prefix("dckr_oat_", 20, true),
    Prefix("CLOJARS_", 40, false),
    Prefix("AKCp", 40, false),
    Prefix("cmVmd", 40, false),
    Prefix("oy2", 40, false),
    // Models
    Prefix("sk-ant-", 20, true),
    Prefix("sk-proj-", 20, true),
    Prefix("sk-svcacct-", 20, true),
    Prefix("sk-admin-", 20, true),
    Prefix("sk-or-", 20, true),
    Prefix("sk-lf-", 20, true),
    Prefix("pk-lf-", 20, true),
    Prefix("sk-", 32, false),
    Prefix("hf_", 30, false),
    Prefix("r8_", 30, false),
    Prefix("gsk_", 30, false),
    Prefix("xai-", 30, true),
    Prefix("pplx-", 30, false),
    Prefix("lsv2_pt_", 20, true),
    Prefix("lsv2_sk_", 20, true),
    Prefix("pcsk_", 30, true),
    Prefix("tgp_v1_", 30, true),
    // Hosts, databases, networks
    Prefix("dop_v1_", 32, false),
    Prefix("doo_v1_", 32, false),
    Prefix("dor_v1_", 32, false),
    Prefix("nfp_", 20, false),
    Prefix("fo1_", 20, true),
    Prefix("fm1_", 20, true),
    Prefix("fm2_", 20, true),
    Prefix("HRKU-", 20, true),
    Prefix("tk-us-", 30, true),
    Prefix("v1.0-", 60, true),
    Prefix("tskey-", 16, true),
    Prefix("dnkey-", 30, true),
    Prefix("pscale_", 30, true),
    Prefix("sbp_", 30, false),
    Prefix("napi_", 30, false),
    Prefix("dapi", 32, false),
    Prefix("4b1d", 38, false),
    Prefix("ocp_", 30, false),
    Prefix("pul-", 32, false),
    Prefix("hvs.", 20, true),
    Prefix("hvb.", 20, true),
    Prefix("hvr.", 20, true),
    Prefix("dp.pt.", 30, false),
    Prefix("dp.st.", 30, true),
    Prefix("dp.ct.", 30, false),
    Prefix("dp.sa.", 30, false),
    Prefix("dp.scim.", 30, false),
    Prefix("dp.audit.", 30, false),
    Prefix("AGE-SECRET-KEY-1", 30, false),
    Prefix("ops_eyJ", 40, false),
    Prefix("A3-", 26, true),
    // Building and watching programs
    Prefix("CCIPAT_", 20, true),
    Prefix("CCIPRJ_", 20, true),
    Prefix("bkua_", 30, false),
    Prefix("pnu_", 30, false),
    Prefix("squ_", 30, false),
    Prefix("sqp_", 30, false),
    Prefix("sqa_", 30, false),
    Prefix("sntrys_", 30, true),
    Prefix("sntryu_", 30, false),
    Prefix("glsa_", 28, true),
    Prefix("glc_", 28, true),
    Prefix("NRAK-", 20, false),
    Prefix("NRII-", 20, true),
    Prefix("NRJS-", 18, false),
    Prefix("NRSP-", 18, true),
    Prefix("dt0c01.", 24, true),
    Prefix("dt0s01.", 24, true),
    Prefix("phc_", 30, false),
    Prefix("phx_", 30, false),
    Prefix("waka_", 30, true),
    Prefix("API-", 26, false),
    // Shops, mail, documents, tasks
    Prefix("shpat_", 28, false),
    Prefix("shpss_", 28, false),
    Prefix("shpca_", 28, false),
    Prefix("shppa_", 28, false),
    Prefix("shptka_", 28, false),
    Prefix("SG.", 20, true),
    Prefix("xkeysib-", 40, true),
    Prefix("xsmtpsib-", 40, true),
    Prefix("key-", 30, false),
    Prefix("pubkey-", 30, false),
    Prefix("lin_api_", 30, false),
    Prefix("lin_oauth_", 30, false),
    Prefix("figd_", 30, true),
    Prefix("PMAK-", 20, true),
    Prefix("ntn_", 30, false),
    Prefix("secret_", 36, false),
    Prefix("CFPAT-", 30, true),
    Prefix("aio_", 24, false),
    Prefix("pat-na1-", 30, true),
    Prefix("pat-eu1-", 30, true),
    Prefix("tfp_", 40, true),
    Prefix("rdme_", 40, false),
    Prefix("fio-u-", 40, true),
    Prefix("ico-", 30, false),
    Prefix("p8e-", 30, false),
    Prefix("sl.", 100, true),
    Prefix("sm_aat_", 16, false),
    Prefix("sm_pat_", 16, false),
    Prefix("sm_sat_", 16, false),
];

/// By first byte, the number of the first prefix that has it. Nearly all words have none.
static FIRST: [usize; 256] = {
    let mut first = [PREFIXES.len(); 256];
    let mut at = PREFIXES.len();
    while at > 0 {
        at -= 1;
        first[PREFIXES[at].0.as_bytes()[0] as usize] = at;
    }
    first
};

/// By prefix, the number of the next one with the same first byte.
static NEXT: [usize; PREFIXES.len()] = {
    let mut next = [PREFIXES.len(); PREFIXES.len()];
    let mut last = [PREFIXES.len(); 256];
    let mut at = PREFIXES.len();
    while at > 0 {
        at -= 1;
        let byte = PREFIXES[at].0.as_bytes()[0] as usize;
        next[at] = last[byte];
        last[byte] = at;
    }
    next
};

/// Returns what follows the known prefix of a word, if it is long enough for a secret.
pub(super) fn secret_behind(word: &[u8]) -> Option<&[u8]> {
    let first = *FIRST.get(usize::from(*word.first()?))?;
    let mut may_be =
        std::iter::successors(Some(first), |at| NEXT.get(*at).copied()).map_while(|at| PREFIXES.get(at));
    may_be.find_map(|Prefix(prefix, least, is_joined)| {
        let rest = word.strip_prefix(prefix.as_bytes())?;
        let secret = if *is_joined {
            rest
        } else {
            let len = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            rest.get(..len).unwrap_or_default()
        };
        (secret.len() >= *least).then_some(secret)
    })
}
