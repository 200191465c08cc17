"""Given names that are common somewhere: enough to tell a column of people from one of things."""

from __future__ import annotations

from singleout.roles.identifiers.word_list import word_list

GIVEN_NAMES = word_list(
    """
    aaron abdul abdullah adam adrian ahmed aisha akira alan albert alejandro alessandro alessia alex
    alexander alexandra alexis ali alice alicia amanda amina amit amy ana anastasia andre andrea
    andreas andrew andrzej angela anita anja ann anna anne annie anthony antoine antonio arjun
    arthur ashley astrid barbara beatriz benjamin bernard bernd betty birgit bjorn bob boris brandon
    brenda brian bruno camille carl carla carlos carmen carol caroline catherine cecilia charles
    charlotte chen chiara chloe chris christian christina christine christopher claire clara claudia
    claus clement cristina cynthia daisuke daniel daniela daniele david deborah debra denis dennis
    diana diego dieter dimitri dmitri donald donna dorothy douglas edward elena elisa elizabeth ella
    emily emma eric erik erika eva evelyn fabio fatima federica federico felix fernando florian
    frances francesca francesco francisco francois frank franz fred frederic friedrich gabriel
    gabriela gary george gerald gerard gerhard giovanni giulia giuseppe gloria grace greg gregory
    guillaume gustav guy hana hannah hans harold harry hassan heather heike heinz helen helena helga
    henri henrik henry herbert hiroshi horst hugo ibrahim igor ines ingrid irene isabel isabella
    ivan ivana jack jacob jacqueline jakob james jan jane janet janice jason javier jean jeff
    jeffrey jennifer jens jeremy jerry jessica jesus jim joan joao joe johan johanna johannes john
    jonas jonathan jorge jose josef joseph joshua joyce juan judith judy julia julian julie julien
    jurgen justin karen karin karl kate katharina katherine kathleen katja keith keiko kelly kenji
    kenneth kevin khalid kim klaus kristina krzysztof kyle larissa larry lars laura lauren laurent
    leila lena leon leonardo lian lin linda lisa louis louise luca lucas lucia lucie luigi luis
    lukas magdalena manuel manuela marc marcel marco marcus margaret margarita maria marie marina
    mario marion mark markus marta martha martin martina mary masako mathieu matteo matthew matthias
    maurice maxime megan mehmet melissa michael michaela michel michele michelle miguel mikael mike
    mohamed mohammad mohammed monica monika muhammad mustafa nancy natalia natalie natasha nathalie
    nathan nicholas nicolas nicole nikolai nina noah nora norbert olaf oleg olga oliver olivia
    olivier oscar pablo pamela paola paolo patricia patrick paul paula pavel pedro peter petra
    philip philipp philippe pierre piotr priya rachel rafael rahul ralf ralph ramon raul raymond
    rebecca regina renate rene ricardo richard robert roberto roger roland ronald rosa ruth ryan
    sabine sakura sam samantha samuel sandra sara sarah satoshi scott sean sebastian sergei sergio
    sharon shirley silvia simon simone sofia sonia sophia sophie stefan stefania stefano stephanie
    stephen steve steven stephane susan susanne suzuki svetlana takashi tanaka tatiana teresa
    thandiwe theo theresa thi thomas tim timothy tobias tom tomasz toni tyler ulrich ulrike ursula
    uwe valentina valerie vanessa vera veronica victor victoria vincent viktor virginie vladimir
    walter wei wendy werner will william willem wolfgang xavier yan yasmin yoko yolanda yuki yusuf
    yves yvonne zainab zoe
    aleksander aleksandra agnieszka beata bogdan boguslaw dariusz dorota elzbieta ewa grazyna grzegorz
    halina iwona jacek jadwiga janusz jaroslaw jerzy joanna jolanta kamil katarzyna kazimierz krystyna
    leszek lukasz maciej malgorzata marek mariusz marzena mateusz michal miroslaw pawel przemyslaw rafal
    ryszard slawomir stanislaw tadeusz urszula wieslaw wojciech zbigniew zofia zdzislaw
    gudrun gudmundur sigurdur jon olafur magnus einar kristjan bjarni helgi arni gunnar thor sigridur
    kristin ragnheidur ingibjorg johann stefan margret hulda katrin asdis snorri
    nguyen tran pham hoang huynh phan vu dang bui duong thanh minh tuan hung hai lan huong linh mai phuong
    trang thao quang duc khanh ngoc anh van
    chinedu chioma emeka ngozi obinna ifeanyi adaeze oluwaseun olumide folake tunde babatunde yewande
    adebayo ayodele kwame kofi akua ama kwabena yaw kojo abena mamadou ousmane aminata fatou ibrahima
    moussa awa sekou thabo sipho nomsa lerato themba zanele bongani nkosana wanjiku kamau njeri otieno
    achieng wambui mwangi juma hassani neema baraka amara chidi zuri tendai tafadzwa rudo abebe tesfaye
    almaz mulugeta haile tigist selam dawit
    ahmad hussein hasan omar khaled youssef mahmoud mariam layla noor karim samir nadia rania tariq
    abdulrahman yousef salma huda zahra reza mehdi maryam shirin farhad
    priyanka anil sunil sanjay rajesh suresh ramesh vijay deepak pooja neha anjali kavita sunita lakshmi
    ravi manoj ashok arun kiran vikram rohit ananya aditya
    haruto yuto sota ren hina yui aoi taro hanako ichiro jiro kazuko sachiko michiko haruka naoki takeshi
    makoto kenta ayumi megumi tomoko noriko yumiko kazuo akiko emiko mariko nobuo shigeru yoshio
    jiho minjun seojun jisoo hyun minho jiyoung sungmin eunji soojin
    xiaoming meiling yifan zihan haoyu xinyi jiahao
    mehmet ayse fatma emine mustafa huseyin murat elif zeynep emre burak hatice ozlem yilmaz
    yiannis giorgos dimitris nikos eleni kostas vasilis katerina maria sofia panagiotis christos
    andrei ion mihai elena ioana gheorghe vasile bogdan cristian alexandru radu
    jozef zuzana tomas jana petr vaclav miroslav lenka eva hana jiri ladislav istvan laszlo gabor zoltan
    katalin eszter ferenc tamas zsuzsanna
    joao tiago goncalo ines matilde beatriz mariana rui nuno catarina thiago leticia larissa
    juhani matti timo kari antti jukka anneli liisa tuula kaisa
    lotte sven anders lars nils bjorn freja mads soren mette kirsten jorgen ingeborg solveig
    alejandra guadalupe ignacio joaquin lorena lourdes maite mercedes montserrat nuria pilar rocio
    salvador soledad xavier begona
    amelie aurelie benoit celine cedric delphine emilie fabrice gaelle jerome lea manon mathilde noemie
    sylvie thierry yannick
    annika britta detlef ekkehard elke gisela gunther heidi helmut ilse ingo jorg katrin kerstin manfred
    rainer reinhard siegfried sigrid silke steffen sven thorsten torsten ute volker wilhelm
    alessio beatrice carlo davide elisabetta enrico gianluca giorgia ilaria lorenzo massimo ornella
    riccardo salvatore serena silvana vincenzo
    jenny jill jimmy joanne kathy lucy molly nigel ollie peggy phil rita rob ron sally sheila sid sue ted
    terry tina tony vicky ben bobby charlie colin craig dan dave derek don ed ellen fiona gareth geoff
    graham hazel ian jake jamie joel jon josh ken lee liam luke matt max mia neil nick norman owen pam
    pete ray roy russell sophia stuart todd trevor wayne zachary
    александр алексей анастасия андрей анна антон артём борис валентина василий вера виктор виктория
    владимир галина дарья дмитрий евгений екатерина елена иван игорь ирина кирилл константин ксения
    лариса людмила максим мария марина михаил надежда наталья никита николай нина оксана олег ольга павел
    пётр роман светлана семён сергей софья татьяна тимофей юлия юрий яна олександр олексій дмитро ганна
    тарас микола
    محمد أحمد احمد علي فاطمة مريم حسن حسين عمر خالد يوسف عائشة زينب إبراهيم عبدالله سارة
    たろう はなこ いちろう じろう ゆうこ ようこ さくら ひろし けんじ たかし やまだ すずき さとう たなか
    わたなべ タロウ ハナコ イチロウ ジロウ ユウコ ヨウコ サクラ ヒロシ ケンジ タカシ
    ヤマダ スズキ サトウ タナカ
    ワタナベ
    γιώργος γεώργιος μαρία νίκος νικόλαος ελένη κώστας κωνσταντίνος δημήτρης δημήτριος γιάννης ιωάννης σοφία
    άννα κατερίνα αικατερίνη βασιλική παναγιώτης χρήστος αθανάσιος θανάσης ευαγγελία αντώνης σπύρος ιωάννα
    राम सीता मोहन राजेश सुनीता प्रिया अमित राहुल नेहा विकास पूजा सुनील अनिता कविता मनोज सुरेश रमेश संजय अनिल
    विजय अंजलि दीपक सुमन रवि
    יוסף דוד משה אברהם יעקב מרים שרה רחל לאה דניאל יונתן נועם תמר נועה מאיה אורי איתי רונית
    สมชาย สมหญิง สมศักดิ์ สมพร วิชัย ประเสริฐ สุนทร อนันต์ มาลี นิภา สุดา พรชัย ศิริพร กมล ธนา
    """
)
# given names that other words and places are written like: alone they prove nothing
OTHER_MEANINGS = word_list(
    """
    will grace mark frank jack guy rosa christian jean lin chen kim jan carol victoria gloria florian van
    mai hai lan anh minh thanh don ed ray max sue rob dan ted ken sid lee roy todd hazel ama awa ion kari
    ute baraka amara noor charlotte diego jose francisco santiago salvador mercedes pilar soledad lourdes
    jesus wei yan lian thi jordan israel vu dang bui ren aoi hina paris sofia helena alexandria
    """
)
UNFOLDED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "ı": "i"})
JAPANESE_SURNAMES = word_list(
    """
    佐藤 鈴木 高橋 田中 伊藤 渡辺 渡邊 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本 井上 木村 林 斎藤
    清水 山崎 森 池田 橋本 阿部 石川 山下 中島 石井 小川 前田 岡田 長谷川 藤田 後藤 近藤 村上 遠藤
    青木 坂本 斉藤 福田 太田 西村 藤井 金子 岡本 藤原 三浦 中野 中川 原田 松田 竹内 小野 田村 中山
    和田 石田 上田 森田 原 柴田 酒井 工藤 横山 宮崎
    """
)
CHINESE_SURNAMES = (
    "王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩韓唐冯馮于董萧蕭"
    "程曹袁邓鄧许許傅沈曾彭吕呂"
)
KOREAN_SURNAMES = "김이박최정강조윤장임한오서신권황안송류홍전고문양손배백허유남심노하"
