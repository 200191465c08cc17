"""Words that are no names of people where a column holds nothing else: months, countries, colours."""

from __future__ import annotations

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
# each by itself: what is a month and what is a colour may also be a name
ORDINARY_LISTS = (CALENDAR, COLOURS, COUNTRIES, COUNTRY_CODES, STATE_CODES)
