"""Family names that are common somewhere: with them alone in a column, people are named in it."""

from __future__ import annotations

from singleout.roles.identifiers.word_list import word_list

FAMILY_NAMES = word_list(
    """
    smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez gonzalez
    wilson anderson thomas taylor moore jackson martin lee perez thompson white harris sanchez clark
    ramirez lewis robinson walker young allen king wright scott torres nguyen hill flores green adams
    nelson baker hall rivera campbell mitchell carter roberts gomez phillips evans turner diaz parker
    cruz edwards collins reyes stewart morris morales murphy cook rogers gutierrez ortiz morgan cooper
    peterson bailey reed kelly howard ramos kim cox ward richardson watson brooks chavez wood james
    bennett gray mendoza ruiz hughes price alvarez castillo sanders patel myers long ross foster jimenez
    powell jenkins perry russell sullivan bell coleman butler henderson barnes gonzales fisher vasquez
    simmons romero jordan patterson alexander hamilton graham reynolds griffin wallace moreno west cole
    hayes bryant herrera gibson ellis tran medina aguilar stevens murray ford castro marshall owens
    harrison fernandez mcdonald woods washington kennedy wells vargas henry chen freeman webb tucker
    guzman burns crawford olson simpson porter hunter gordon mendez silva shaw snyder mason dixon munoz
    hunt hicks holmes palmer wagner black robertson boyd rose stone salazar fox warren mills meyer rice
    schmidt daniels ferguson nichols stephens soto weaver ryan gardner payne grant dunn kelley spencer
    hawkins arnold pierce hansen peters santos hart bradley knight elliott cunningham duncan armstrong
    hudson carroll lane riley andrews alvarado ray delgado berry perkins hoffman johnston matthews pena
    richards contreras willis carpenter lawrence sandoval guerrero george chapman rios estrada ortega
    watkins greene nunez wheeler valdez harper burke larson santiago maldonado morrison franklin carlson
    austin dominguez carr lawson jacobs obrien lynch singh vega bishop montgomery oliver jensen harvey
    williamson gilbert dean sims espinoza howell li wong reid hanson le mccoy garrett burton fuller wang
    weber welch rojas lucas marquez fields park yang little banks padilla day walsh bowman schultz luna
    fowler mejia davies clarke jarvis hussain khan begum ali ahmed kaur o'connor o'neill o'brien byrne
    doyle mccarthy gallagher doherty kavanagh macdonald fraser mackenzie sinclair
    muller mueller schneider fischer becker schulz hoffmann schafer schaefer koch bauer richter klein wolf
    schroder schroeder neumann schwarz zimmermann braun kruger krueger hofmann hartmann lange schmitt
    werner schmitz krause meier maier lehmann schmid schulze kohler koehler herrmann konig walter mayer
    huber kaiser fuchs lang scholz moller weiss jung hahn schubert vogel friedrich keller gunther frank
    berger winkler roth beck lorenz baumann franke albrecht schuster simon ludwig bohm winter kraus
    gruber steiner moser egger brunner
    bernard dubois durand robert richard petit leroy moreau laurent lefebvre michel bertrand roux
    vincent fournier morel girard andre lefevre mercier dupont lambert bonnet francois legrand garnier
    faure rousseau blanc guerin boyer chevalier gauthier perrin masson marchand duval denis dumont lemaire
    noel dufour meunier brunet blanchard giraud joly riviere lucas brun gaillard barbier arnaud
    rossi russo ferrari esposito bianchi romano colombo ricci marino greco bruno gallo conti deluca
    mancini costa giordano rizzo lombardi moretti barbieri fontana santoro mariani rinaldi caruso ferrara
    galli martini leone longo gentile martinelli vitale
    alonso gutierrez navarro dominguez vazquez gil serrano blanco molina suarez ortega rubio marin sanz
    iglesias nunez garrido cortes castillo lozano guerrero cano prieto mendez calvo gallego vidal
    ferreira pereira oliveira rodrigues almeida carvalho gomes ribeiro alves pinto lima barbosa rocha
    dias nascimento andrade moreira nunes marques machado mendes freitas cardoso teixeira
    jansen janssen devries bakker visser smit meijer mulder bos vos peeters hendriks dekker dijkstra
    jacobs maes willems claes goossens wouters
    andersson johansson karlsson nilsson eriksson larsson olsson persson svensson gustafsson lindberg
    lindstrom bergstrom lundgren hansen johansen olsen larsen andersen pedersen nilsen kristiansen jensen
    karlsen johnsen berg haugen nielsen christensen rasmussen sorensen jorgensen madsen petersen
    kristensen thomsen poulsen korhonen virtanen makinen nieminen makela hamalainen laine heikkinen
    koskinen jarvinen lehtonen saarinen
    nowak kowalski wisniewski wojcik kowalczyk kaminski lewandowski zielinski szymanski wozniak dabrowski
    kozlowski mazur jankowski krawczyk piotrowski grabowski novak svoboda novotny dvorak cerny prochazka
    kucera vesely horak nemec horvath kovacs toth szabo nagy varga kiss molnar nemeth farkas balogh popa
    popescu ionescu stan dumitru gheorghe ivanov petrov smirnov kuznetsov popov vasiliev sokolov
    mikhailov novikov fedorov morozov volkov alekseev lebedev semenov egorov pavlov kozlov stepanov
    shevchenko kovalenko bondarenko tkachenko melnyk boyko papadopoulos
    yilmaz kaya demir celik sahin yildiz ozturk aydin ozdemir arslan dogan kilic
    sharma verma gupta kumar reddy nair iyer mehta shah joshi desai chowdhury banerjee mukherjee das rao
    suzuki sato tanaka takahashi watanabe ito yamamoto nakamura kobayashi kato yoshida yamada sasaki
    yamaguchi matsumoto inoue kimura hayashi shimizu yamazaki mori abe ikeda hashimoto ishikawa
    wang zhang liu chen huang zhao zhou xu zhu lin guo luo zheng liang xie choi jung kang cho yoon jang lim
    okafor okonkwo adeyemi balogun mensah owusu boateng diallo traore keita ndiaye dlamini nkosi mokoena
    khumalo abubakar ibrahim mohamed hassan hussein abdi
    иванов иванова смирнов смирнова кузнецов кузнецова попов попова васильев петров петрова соколов
    михайлов новиков новикова фёдоров морозов морозова волков волкова лебедев семёнов егоров павлов козлов
    шевченко коваленко бондаренко мельник
    """
)
# words, places and colours too: alone they prove nothing
OTHER_WORDS = word_list(
    """
    brown white green black gray young king hill baker hall cook cooper carter turner parker ward wood
    long price bell butler fisher perry west cole ford woods wells freeman hunter mason dixon hunt palmer
    fox rose stone mills rice weaver gardner pierce knight lane ray berry carpenter bishop dean fields
    park little banks day harper austin jackson washington lincoln madison houston jordan hamilton hudson
    marshall franklin montgomery lawrence georgia santiago cordoba leon le li lee das rao mori abe park
    lim cho kim lang jung klein wolf schwarz braun weiss fuchs kaiser winter koch richter vogel konig
    petit blanc noel costa blanco marino fontana bos vos berg kiss stan mazur nemec cruz luna vega
    luther fowler shah martin thomas james henry george frank simon alexander lima pinto rocha
    """
)
SURE_FAMILY_NAMES = FAMILY_NAMES - OTHER_WORDS
