"""Words that name nobody where a column holds nothing else: months, countries, colours, answers."""

from __future__ import annotations

import re
import unicodedata

from singleout.roles.identifiers.code_forms import AMOUNT, JOINED
from singleout.roles.identifiers.word_list import phrase_list, word_list

CALENDAR = word_list(
    """
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    januar februar märz april mai juni juli oktober dezember jänner
    janvier février mars avril juin juillet août septembre octobre novembre décembre
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
    lundi mardi mercredi jeudi vendredi samedi dimanche
    lunes martes miércoles jueves viernes sábado domingo
    spring summer autumn fall winter
    """
)
COLOURS = word_list(
    """
    black white grey gray red green blue yellow orange brown pink purple violet turquoise beige gold silver
    cyan magenta ivory navy maroon olive teal
    """
)
COUNTRIES = phrase_list(
    """
    afghanistan, albania, algeria, andorra, angola, argentina, armenia, australia, austria, azerbaijan,
    bahamas, bahrain, bangladesh, barbados, belarus, belgium, belize, benin, bhutan, bolivia,
    bosnia and herzegovina, botswana, brazil, brunei, bulgaria, burkina faso, burundi, cambodia, cameroon,
    canada, cape verde, chad, chile, china, colombia, congo, costa rica, croatia, cuba, cyprus, czechia,
    czech republic, denmark, djibouti, dominica, dominican republic, ecuador, egypt, el salvador, eire,
    england, eritrea, estonia, eswatini, ethiopia, fiji, finland, france, gabon, gambia, georgia, germany,
    ghana, greece, grenada, guatemala, guinea, guyana, haiti, honduras, hong kong, hungary, iceland, india,
    indonesia, iran, iraq, ireland, israel, italy, ivory coast, jamaica, japan, jordan, kazakhstan, kenya,
    kuwait, kyrgyzstan, laos, latvia, lebanon, lesotho, liberia, libya, liechtenstein, lithuania, luxembourg,
    macedonia, north macedonia, madagascar, malawi, malaysia, maldives, mali, malta, mauritania, mauritius,
    mexico, moldova, monaco, mongolia, montenegro, morocco, mozambique, myanmar, namibia, nepal, netherlands,
    new zealand, nicaragua, niger, nigeria, north korea, norway, oman, pakistan, palestine, panama,
    papua new guinea, paraguay, peru, philippines, poland, portugal, puerto rico, qatar, romania, russia,
    rwanda, saudi arabia, scotland, senegal, serbia, seychelles, sierra leone, singapore, slovakia, slovenia,
    somalia, south africa, south korea, south sudan, spain, sri lanka, sudan, suriname, sweden, switzerland,
    syria, taiwan, tajikistan, tanzania, thailand, togo, trinidad and tobago, tunisia, turkey,
    turkmenistan, uae, uganda, uk, ukraine, united arab emirates, united kingdom, united states, uruguay,
    us, usa, uzbekistan, vatican, venezuela, vietnam, wales, yemen, zambia, zimbabwe
    """
)
# ISO 3166: two letters for a country
COUNTRY_CODES = word_list(
    """
    ad ae af ag al am ao ar at au az ba bb bd be bf bg bh bi bj bn bo br bs bt bw by bz ca cd cf cg
    ch ci cl cm cn co cr cu cv cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fr ga gb gd ge gh
    gm gn gq gr gt gw gy hk hn hr ht hu id ie il in iq ir is it jm jo jp ke kg kh km kp kr kw kz la
    lb lc li lk lr ls lt lu lv ly ma mc md me mg mk ml mm mn mr mt mu mv mw mx my mz na ne ng ni nl
    no np nz om pa pe pg ph pk pl ps pt py qa ro rs ru rw sa sb sc sd se sg si sk sl sm sn so sr ss
    st sv sy sz td tg th tj tm tn to tr tt tw tz ua ug uk us uy uz va vc ve vn vu ws ye za zm zw
    """
)
STATE_CODES = word_list(
    """
    al ak az ar ca co ct de dc fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm
    ny nc nd oh ok or pa pr ri sc sd tn tx ut vt va wa wv wi wy
    """
)
# what few values are of that sort people: answers, levels, states, shares of a whole
ANSWERS = word_list(
    """
    yes no maybe true false none never rarely seldom sometimes often usually always once twice daily weekly
    monthly yearly low lower lowest middle mid medium moderate high higher highest large larger small smaller
    big tiny huge few little much many some most all any more less least very not about other others another
    unknown missing unspecified undisclosed available applicable answered refused total overall mixed
    male female man woman men women boy girl diverse nonbinary non binary transgender intersex neutral
    single married divorced widowed widow separated partnered cohabiting engaged
    child children teen teenager youth young younger adult adults middle aged old older elderly senior
    infant newborn baby
    agree disagree strongly somewhat slightly fully partly neither nor satisfied dissatisfied likely unlikely
    good better best bad worse worst fair poor excellent average normal abnormal norm elevated critical stable
    positive negative pos neg inconclusive pending present absent mild severe acute chronic
    active inactive open closed new current former past retired employed unemployed student self
    paid unpaid partial full part half time basic standard premium plus extra free trial bronze platinum
    economy business enterprise corporate consumer retail wholesale express limited unlimited annual lifetime
    permanent temporary urgent fatal mobile desktop tablet laptop
    cash card credit debit invoice transfer check cheque voucher online offline phone mail post web app store
    car bus train tram bike bicycle walk foot taxi ferry plane metro underground
    north south east west northeast northwest southeast southwest central centre center left right front back
    top bottom inner outer up down steady change changed unchanged start stop begin end
    urban suburban rural city town village home house flat apartment rent own owned rented
    morning noon afternoon evening night midnight today tomorrow yesterday day week month year hour minute
    days weeks months years yrs hours hrs minutes seconds euro euros eur usd gbp dollars pieces pcs times
    one two three four five six seven eight nine ten first second third fourth last next previous
    pass passed fail failed win won lose lost draw error warning info debug success complete completed
    incomplete cancelled canceled shipped delivered returned accepted rejected approved denied done started
    group class type kind level grade category cat case control treatment treated untreated placebo arm test
    train valid validation sample item value code unit
    private public internal external local national international foreign domestic federal state government
    red green blue sure unsure certain uncertain light dark hot cold warm cool dry wet short long heavy thin
    thick flat round
    nan null default invalid utc gmt cet cest est pst
    ja nein vielleicht nie selten manchmal oft immer niedrig gering mittel hoch hohe klein groß gross sehr
    wenig viel keine keiner andere anderer sonstige sonstiges unbekannt männlich weiblich divers mann frau
    männer frauen junge mädchen ledig verheiratet geschieden verwitwet kind erwachsen erwachsene gut schlecht
    neu alt jung bar karte rechnung stadt land links rechts nord süd ost
    oui non peut être jamais parfois souvent toujours faible moyen moyenne élevé élevée homme femme
    célibataire marié mariée divorcé divorcée veuf veuve autre inconnu inconnue bon mauvais enfant adulte
    sí quizás nunca siempre bajo baja medio media alto alta hombre mujer soltero soltera casado casada
    divorciado divorciada viudo viuda otro otra desconocido bueno malo
    sì forse mai sempre basso bassa alto uomo donna celibe nubile sposato altro sconosciuto
    はい いいえ なし あり 有 無 有り 無し 男 女 男性 女性 その他 不明 低 中 高 大 小 可 不可 良
    不良 未婚 既婚 大人 子供 是 否 男性 女性 其他 未知 未婚 已婚 低 中 高 예 아니오 남 여 남성 여성 기타
    да нет мужской женский другое неизвестно
    """
)
# each by itself: what is a month and what is a colour may also be a name
ORDINARY_LISTS: tuple[frozenset[str], ...] = (CALENDAR, COLOURS, COUNTRIES, COUNTRY_CODES, STATE_CODES)
SORTING_WORDS = frozenset[str]().union(*ORDINARY_LISTS, ANSWERS, *(name.split() for name in COUNTRIES))
WORD = re.compile(r"[^\W\d_]+")
LAST_OF_LATIN = "\u024f"


def has_odd_word(text: str) -> bool:
    """Whether a word stands in it that is no answer, level, month or colour, nor an amount's unit.

    >>> [has_odd_word(text) for text in ("Ekwueme", "very low", "18-25 years", "<=50K", "3 eneh", "よこい")]
    [True, False, False, False, True, True]
    """
    decomposed = unicodedata.normalize("NFC", JOINED.sub(" ", AMOUNT.sub(" ", text.casefold())))
    plain = "".join(each for each in decomposed if not unicodedata.category(each).startswith("M"))
    return any(_is_long(word) and word not in SORTING_WORDS for word in WORD.findall(plain))


def _is_long(word: str) -> bool:
    """Long enough for a name; shorter ones are units and letters for something."""
    return len(word) > (2 if word[0] <= LAST_OF_LATIN else 1)
