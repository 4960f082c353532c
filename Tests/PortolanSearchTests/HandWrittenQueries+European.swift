extension HandWrittenQueries {
  /// Queries in other languages that are written in Latin letters.
  static let european = [
    HandWrittenQueries(
      "German",
      labels: #"""
        Hauptstraße 12a, Kiel
        Hauptstraße 12, Kiel
        Straße des 17. Juni 100, Berlin
        Karl-Marx-Allee 3, Berlin
        Karl-Marx-Platz 3, Berlin
        Platz der Republik 1, Berlin
        Großer Burstah 8, Hamburg
        Jungfernstieg 7, Hamburg
        Sankt-Georg-Kirche
        München Hauptbahnhof
        Köln Messe/Deutz
        Prof.-Weißbach-Weg 4
        Weißenburger Straße 5
        An der Schönen Aussicht 9
        Graf-Adolf-Straße 20-22, Düsseldorf
        """#,
      #"""
      Hauptstraße 12a, Kiel
        hauptstr 12a
        hauptstr. 12 a
      Hauptstraße 12, Kiel
        Hauptstrasse 12
        haupt straße 12 kiel
        HAUPTSTRASSE 12
        12 hauptstraße
        hauptsraße 12
        haubtstraße 12
      Straße des 17. Juni 100, Berlin
        strasse des 17 juni
        str. des 17. juni 100
      Karl-Marx-Allee 3, Berlin
        karl marx allee 3
        karlmarxallee 3
      Karl-Marx-Platz 3, Berlin
        karl-marx-pl. 3
      Platz der Republik 1, Berlin
        pl. der republik
      Großer Burstah 8, Hamburg
        grosser burstah
        großer brustah 8
      Jungfernstieg 7, Hamburg
        jungfernsteig
      Sankt-Georg-Kirche
        st georg kirche
        st. georgs kirche
      München Hauptbahnhof
        muenchen hbf
        munchen hauptbahnhof
      Köln Messe/Deutz
        koeln messe deutz
      Prof.-Weißbach-Weg 4
        professor weissbach weg
      Weißenburger Straße 5
        weissenburger str 5
        weißenburgerstraße 5
      An der Schönen Aussicht 9
        an der schoenen aussicht
        schönen aussicht 9
      Graf-Adolf-Straße 20-22, Düsseldorf
        graf adolf str 21
        graf-adolf-str. 20
      """#),
    HandWrittenQueries(
      "French, Spanish, Portuguese, Italian",
      labels: #"""
        12 bis rue de l'Église, Lyon
        8 rue de l'Évêché, Lyon
        5 boulevard Saint-Germain, Paris
        avenue des Champs-Élysées
        3 quai d'Orsay, Paris
        place du Général Leclerc
        22 chaussée de Wavre, Ixelles
        Hôtel de Ville
        rue du Faubourg Saint-Honoré
        Calle Mayor 5, Madrid
        Avenida de la Constitución 3, Sevilla
        Paseo de la Castellana 100, Madrid
        Plaza de España, Madrid
        Carrera 7 # 12-34, Bogotá
        Iglesia de Nuestra Señora del Carmen
        Santa Cruz de Tenerife
        Camino Viejo 4
        Peñíscola
        Rua Augusta 10, Lisboa
        Alameda Santos 200, São Paulo
        Rodovia Anhanguera
        Jardim Botânico
        Via Roma 12/A, Torino
        Piazza San Marco, Venezia
        Corso Vittorio Emanuele II 4
        Viale dell'Università 6
        Chiesa di Sant'Antonio
        Largo Argentina
        """#,
      #"""
      12 bis rue de l'Église, Lyon
        12bis rue de l eglise
        12 bis r. de l'eglise
        rue eglise 12bis
        12 rue de l'église
      8 rue de l'Évêché, Lyon
        8 rue de leveche
      5 boulevard Saint-Germain, Paris
        bd st germain 5
        5 bld saint germain
        5, boul. st-germain
      avenue des Champs-Élysées
        champs elysees
        av. des champs élysée
        ave champselysees
      3 quai d'Orsay, Paris
        quai dorsay
        3 quai d orsay
      place du Général Leclerc
        pl du gal leclerc
        place general leclerc
        pl. du gén. leclerc
      22 chaussée de Wavre, Ixelles
        22 ch. de wavre
        chee de wavre 22
      Hôtel de Ville
        hotel de ville
      rue du Faubourg Saint-Honoré
        r du fbg st honore
        rue du fg saint-honoré
      Calle Mayor 5, Madrid
        c/ mayor 5
        c. mayor, 5
        mayor 5
        calle mayor nº 5
        cl mayor 5 madird
      Avenida de la Constitución 3, Sevilla
        avda. constitucion 3
        av de la constitucion 3
      Paseo de la Castellana 100, Madrid
        pº de la castellana 100
        p.º castellana 100
      Plaza de España, Madrid
        pza españa
        pl. espana
      Carrera 7 # 12-34, Bogotá
        cra 7 12-34
        kra. 7 # 12 - 34 bogota
      Iglesia de Nuestra Señora del Carmen
        ntra sra del carmen
        nuestra senora del carmen
      Santa Cruz de Tenerife
        sta cruz de tenerife
        sta. cruz
      Camino Viejo 4
        cno viejo 4
      Peñíscola
        peniscola
      Rua Augusta 10, Lisboa
        r augusta 10
        r. augusta, 10
      Alameda Santos 200, São Paulo
        al. santos 200
        al santos 200 sao paulo
      Rodovia Anhanguera
        rod. anhanguera
      Jardim Botânico
        jd botanico
        jardin botanico
      Via Roma 12/A, Torino
        v. roma 12a
        via roma 12/a
      Piazza San Marco, Venezia
        p.zza san marco
        pza s. marco
        p.za s marco
      Corso Vittorio Emanuele II 4
        c.so vittorio emanuele
        corso vittorio emanuele 2
        cso vitt. emanuele
      Viale dell'Università 6
        v.le università
        viale dell universita 6
      Chiesa di Sant'Antonio
        sant antonio
        santantonio
      Largo Argentina
        l.go argentina
      """#),
    HandWrittenQueries(
      "Dutch, northern, eastern",
      labels: #"""
        Kerkstraat 5, Utrecht
        Kongens gate 8, Oslo
        Storgata 10, Tromsø
        Åsgårdstrand
        Ærøskøbing
        Drottninggatan 7, Göteborg
        Øster Voldgade 4
        Mannerheimintie 3
        ulica Długa 5, Łódź
        Aleje Jerozolimskie 54, Warszawa
        ulica Świętego Jana 6, Kraków
        náměstí Míru 9, Praha
        Žižkov
        Kossuth Lajos utca 4, Budapest
        Erzsébet körút 6, Budapest
        İstiklal Caddesi 12, İstanbul
        Atatürk Bulvarı 5, Ankara
        1453. Sokak 7
        Strada Ștefan cel Mare 3
        Đường Nguyễn Huệ 22
        Jalan Sudirman 8, Jakarta
        Taman Melati
        Tänav Pikk 3
        """#,
      #"""
      Kerkstraat 5, Utrecht
        kerkstr. 5
        kerk straat 5
      Kongens gate 8, Oslo
        kongens gt 8
      Storgata 10, Tromsø
        storgt. 10 tromso
        storgata 10 tromsoe
      Åsgårdstrand
        asgardstrand
        aasgaardstrand
      Ærøskøbing
        aeroskobing
        aeroeskoebing
      Drottninggatan 7, Göteborg
        drottninggatan 7 goteborg
      Øster Voldgade 4
        oster voldgade
        øster voldgade 4
      Mannerheimintie 3
        manerheimintie 3
      ulica Długa 5, Łódź
        ul. dluga 5
        dluga 5 lodz
      Aleje Jerozolimskie 54, Warszawa
        al. jerozolimskie 54
        jerozolimskie 54
      ulica Świętego Jana 6, Kraków
        ul św. jana 6
        sw jana 6 krakow
      náměstí Míru 9, Praha
        nam. miru 9
        nám míru
      Žižkov
        zizkov
      Kossuth Lajos utca 4, Budapest
        kossuth lajos u. 4
        kossuth u 4
      Erzsébet körút 6, Budapest
        erzsebet krt. 6
      İstiklal Caddesi 12, İstanbul
        istiklal cad 12
        ISTIKLAL CADDESI
        İSTİKLAL CD. NO:12
      Atatürk Bulvarı 5, Ankara
        ataturk blv 5
      1453. Sokak 7
        1453 sk 7
      Strada Ștefan cel Mare 3
        str stefan cel mare 3
        strada ştefan cel mare
      Đường Nguyễn Huệ 22
        nguyen hue 22
        d. nguyen hue 22
      Jalan Sudirman 8, Jakarta
        jl sudirman 8
        jln. sudirman
      Taman Melati
        tmn melati
      Tänav Pikk 3
        pikk tn 3
      """#),
  ]
}
